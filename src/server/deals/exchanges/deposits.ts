import { centsToDecimal } from '#contract/base/money.ts';
import { largestDeposit } from '#contract/money/deposits.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import type { Trx } from '#server/database/client.ts';
import { sidesOf } from './decide-deposits.ts';
import * as deposits from './deposits-store.ts';
import { type LegPlan, lockExchange } from './store.ts';

/* What an exchange says of deposits. Where their money is, the room money/deposits knows. */

/**
 * The deposit that a proposal asks for: where its author says nothing, what newcomers and those who deal with them are asked
 * for (a setting), as far as their coupons are worth it.
 * @returns a decimal text in the base currency; null: none
 */
export async function askedDeposit(
  trx: Trx,
  ctx: Pick<Context, 'config' | 'providers'>,
  { legs, deposit }: { legs: readonly LegPlan[]; deposit: string | null | undefined },
): Promise<string | null> {
  if (deposit !== undefined) return deposit;
  const byDefault = ctx.config.depositFromNewcomers;
  if (byDefault === 0 || !hasDeposits(ctx) || legs.some(({ price }) => price !== null)) return null;
  const people = [...new Set(legs.map(({ giverId }) => giverId))];
  if (!(await deposits.hasNewcomer(trx, people))) return null;
  const worths = await deposits.listWorths(
    trx,
    legs.map(({ couponId }) => couponId),
  );
  const valued = legs.flatMap((leg) => {
    const coupon = worths.find(({ id }) => id === leg.couponId);
    return coupon ? [{ ...leg, coupon }] : [];
  });
  const largest = largestDeposit(sidesOf({ legs: valued }));
  return largest === null ? null : centsToDecimal(Math.min(byDefault, largest));
}

/** Whether deposits can be put up here at all: it takes a provider that reserves money on cards. */
export const hasDeposits = ({ providers }: Pick<Context, 'providers'>): boolean =>
  Boolean(providers.payments.stripe?.deposits);

/** What a proposal to these people can ask for, and what is suggested because somebody in it is new: a decimal text, or null. */
export async function depositTerms(
  ctx: MemberContext,
  userIds: readonly number[],
): Promise<{ isAvailable: boolean; deposit: string | null }> {
  const byDefault = ctx.config.depositFromNewcomers;
  const isAvailable = hasDeposits(ctx);
  const isAsked =
    isAvailable && byDefault > 0 && (await deposits.hasNewcomer(ctx.db, [ctx.actor.id, ...userIds]));
  return { isAvailable, deposit: isAsked ? centsToDecimal(byDefault) : null };
}

/**
 * Notes since when the deposit of a party is authorised, or with null that it is not any more. Locks the exchange.
 * @returns whether the exchange still takes deposits: it is accepted
 */
export async function noteDeposit(
  trx: Trx,
  exchangeId: number,
  given: { userId: number; depositAt: Date | null },
): Promise<boolean> {
  const { status } = await lockExchange(trx, exchangeId);
  if (status !== 'accepted') return false;
  await deposits.setDepositAt(trx, exchangeId, given);
  return true;
}
