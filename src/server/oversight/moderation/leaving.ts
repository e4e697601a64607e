import { t } from '@lingui/core/macro';
import { utcDayAndTime } from '#contract/base/locale.ts';
import type { DeleteAccountInput } from '#contract/people/accounts.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { forgetDrafts } from '#server/coupons/drafts/service.ts';
import { ownedCouponIds, removeCouponsOf } from '#server/coupons/publishing/service.ts';
import { forgetWants } from '#server/coupons/wants/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import {
  cancelOpenDeals,
  listOpenDeals,
  lockOpenDeals,
  type OpenDeal,
} from '#server/deals/lifecycle/service.ts';
import { forgetMatches } from '#server/deals/matches/service.ts';
import { moneyUnderWay, obligationsOf } from '#server/money/claims/service.ts';
import { deleteCardsOfLeavers } from '#server/money/payments/service.ts';
import { forgetExports } from '#server/oversight/data-exports/service.ts';
import {
  anonymisePerson,
  checkPasskey,
  checkPassword,
  enforceSecondFactor,
} from '#server/people/accounts/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { forgetBlocks } from '#server/people/blocks/service.ts';
import { queueAccountMail } from '#server/people/notifications/service.ts';
import { forgetPrivateAddresses } from '#server/people/private-addresses/service.ts';
import { forgetWebhooks } from '#server/people/webhooks/service.ts';
import { hasOtherAdmin, lockPerson, takeTurn } from './store.ts';

/** More deals than anybody has; the rest waits for another attempt. */
const DEALS_MAX = 10_000;

/**
 * Deletes the caller's account (decisions 5.4) in one transaction: cancels pending deals, deletes coupons and codes,
 * overwrites personal data and ends all sessions. Deal history and ratings of others stay. Cards are deleted at the
 * provider afterwards, with retries until it works.
 * @throws AppError bad_input on confirmPassword, rate_limited, conflict (an accepted deal, money under way, an open
 *   claim, an exchange about which one can still be made; the last admin)
 */
export async function deleteAccount(
  ctx: MemberContext,
  { confirmPassword = '', passkey }: DeleteAccountInput,
  browser: string | null = null,
): Promise<void> {
  if (passkey) await checkPasskey(ctx, passkey, browser);
  else await checkPassword(ctx, confirmPassword, 'confirmPassword');
  await enforceSecondFactor(ctx, 'always');
  await inTransaction(ctx.db, (trx) => leave(trx, ctx));
  await deleteCardsOfLeavers(ctx, ctx.actor.id);
}

async function leave(trx: Trx, ctx: MemberContext): Promise<void> {
  const userId = ctx.actor.id;
  await takeTurn(trx);
  const [couponIds, deals] = [await ownedCouponIds(trx, userId), await listOpenDeals(trx, userId, DEALS_MAX)];
  const onDeals = deals.flatMap((deal) => deal.couponIds);
  if (couponIds.length + onDeals.length > 0) await lockCoupons(trx, [...new Set([...couponIds, ...onDeals])]);
  const open = await lockOpenDeals(trx, deals);
  const person = await lockPerson(trx, userId);
  if (!person || person.deletedAt !== null) throw notFound(t`Person not found`);
  await checkUnchanged(trx, userId, { couponIds, deals });

  if ([...open.exchanges, ...open.bids].some(({ status }) => status === 'accepted')) {
    throw staying(
      t`You have an accepted exchange or bid. Complete or cancel it first, or wait until it ends.`,
    );
  }
  const money = await moneyUnderWay(trx, userId);
  if (money === 'claim')
    throw staying(t`A claim about one of your sales or purchases is open. Wait for the decision.`);
  if (money === 'payment')
    throw staying(t`A payment of yours is not final yet. Wait until it is, then try again.`);
  const { isOpen, claimableUntil } = await obligationsOf(trx, userId, ctx.clock());
  if (isOpen) throw staying(t`A claim about one of your exchanges is open. Wait for the decision.`);
  if (claimableUntil !== null) {
    const [day, time] = utcDayAndTime(claimableUntil.toISOString());
    throw staying(
      t`There can still be a claim about one of your exchanges. You can delete your account after ${day} at ${time} UTC.`,
    );
  }
  if (person.role === 'admin' && !(await hasOtherAdmin(trx, userId))) {
    throw staying(t`You are the only admin. Make someone else an admin first.`);
  }

  const at = ctx.clock();
  // Before the deals end, so that their notifications no longer hold the name.
  const address = await anonymisePerson(trx, ctx, userId);
  await cancelOpenDeals(trx, deals, { reason: 'party_left', at, actorId: userId, closedId: userId });
  await removeCouponsOf(trx, { ownerId: userId, couponIds, at });
  await forgetBlocks(trx, userId);
  await forgetMatches(trx, userId);
  await forgetWants(trx, userId);
  await forgetExports(trx, userId, at);
  await forgetPrivateAddresses(trx, userId);
  await forgetDrafts(trx, userId);
  await forgetWebhooks(trx, userId);
  await announce(trx, [{ userId, event: { kind: 'account' } }]);
  const details = 'Deleted their own account';
  await audit(trx, ctx, { actorId: userId, action: 'account_deleted', details, targetUserId: userId, at });
  if (address) await queueAccountMail(trx, { kind: 'account_deleted', userId: null, address, at });
}

/** Ends deals that started before the person was locked; after the lock no new ones can start. */
async function checkUnchanged(
  trx: Trx,
  userId: number,
  seen: { couponIds: readonly number[]; deals: readonly OpenDeal[] },
): Promise<void> {
  const known = new Set([...seen.couponIds, ...seen.deals.map(({ kind, id }) => `${kind} ${id}`)]);
  const now = [
    ...(await ownedCouponIds(trx, userId)),
    ...(await listOpenDeals(trx, userId, DEALS_MAX)).map(({ kind, id }) => `${kind} ${id}`),
  ];
  if (now.length !== known.size || now.some((one) => !known.has(one))) {
    throw staying(t`One of your coupons or deals has just changed. Please try again.`);
  }
}

function staying(text: string): AppError {
  return new AppError('conflict', text);
}
