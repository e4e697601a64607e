import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency, centsToDecimal } from '#contract/base/money.ts';
import type { Deposit, DepositIntent } from '#contract/money/deposits.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { uuidv7 } from '#server/core/uuid.ts';
import { inTransaction } from '#server/database/client.ts';
import { stateText } from '#server/deals/lifecycle/service.ts';
import { nextTry, translateErrors } from '#server/money/payments/service.ts';
import { paymentsUnavailable } from '#server/people/sellers/service.ts';
import { refreshDeposit, settleDeposit, vaultOf } from './moving.ts';
import * as store from './store.ts';

/** Limits provider requests by people who reload. */
const LOOKS_PER_PERSON: RateLimit = { name: 'deposit-looks', points: 120, seconds: 600 };

const toDeposit = ({ exchangeId, amount, status, authorisedAt, endedAt }: store.DepositRow): Deposit => ({
  exchangeId,
  amount: centsToDecimal(amount),
  status,
  authorisedAt: authorisedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
});

/** The caller's deposit for an exchange; null before it was begun. @throws AppError not_found, for strangers too */
export async function ownDeposit(ctx: MemberContext, exchangeId: number): Promise<Deposit | null> {
  const own = { exchangeId, userId: ctx.actor.id };
  if (!(await store.findAsked(ctx.db, own))) throw notFound(t`Exchange not found`);
  const deposit = await store.findDepositOf(ctx.db, own);
  return deposit && toDeposit(deposit);
}

/**
 * Begins to put up the caller's deposit for an accepted exchange; repeated calls return the same. The money is reserved on
 * the card that the browser confirms, and not taken.
 * @throws AppError not_found (strangers too), deal_changed (none is asked for, it is there, or its time is over),
 *   payments_unavailable, rate_limited
 */
export async function createDepositIntent(ctx: MemberContext, exchangeId: number): Promise<DepositIntent> {
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const own = { exchangeId, userId: ctx.actor.id };
  const deposit = await inTransaction(ctx.db, async (trx) => {
    const asked = await store.findAsked(trx, own);
    const at = ctx.clock();
    if (!asked) throw notFound(t`Exchange not found`);
    const { status, deadlineAt, depositAt, deposit: amount } = asked;
    if (amount === null) throw new AppError('deal_changed', t`This exchange asks for no deposit.`);
    if (status !== 'accepted') throw new AppError('deal_changed', stateText('exchange', status));
    if (depositAt !== null) throw new AppError('deal_changed', t`Your deposit is already there.`);
    if (deadlineAt !== null && deadlineAt <= at)
      throw new AppError('deal_changed', t`The time to put up the deposit is over.`);
    if (!vaultOf(ctx)) throw paymentsUnavailable();
    return store.putDeposit(trx, { ...own, amount, publicId: uuidv7(at), nextTryAt: nextTry(2, at), at });
  });
  const vault = vaultOf(ctx)?.vault;
  if (!vault) throw paymentsUnavailable();
  const state = await translateErrors(
    deposit.ref === null
      ? vault.create({
          publicId: deposit.publicId,
          exchangeId,
          amount: deposit.amount,
          currency: baseCurrency(),
          description: t`${marketName()}: deposit for exchange ${exchangeId}`,
          idempotencyKey: `${deposit.publicId}-create`,
        })
      : vault.read(deposit.ref),
  );
  const settled = state && (await settleDeposit(ctx, deposit, state));
  // Its exchange may have ended while we asked.
  if (!state?.clientSecret || settled?.status !== 'open')
    throw new AppError('deal_changed', t`Your deposit has just changed. Please look again.`);
  return { depositId: deposit.id, clientSecret: state.clientSecret };
}

/**
 * Reads the caller's deposit from the provider, so that nobody has to wait for us to look.
 * @throws AppError not_found (strangers too, or none was begun), payments_unavailable, rate_limited
 */
export async function refreshOwnDeposit(ctx: MemberContext, exchangeId: number): Promise<Deposit> {
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const deposit = await store.findDepositOf(ctx.db, { exchangeId, userId: ctx.actor.id });
  if (!deposit) throw notFound(t`Deposit not found`);
  await translateErrors(refreshDeposit(ctx, deposit));
  return toDeposit((await store.findDeposit(ctx.db, deposit.id)) ?? deposit);
}

export { keepDeposits, refreshDeposit, retryDeposit } from './moving.ts';
export { findNamedDeposits, hurryDeposits, listBookedDeposits } from './store.ts';
