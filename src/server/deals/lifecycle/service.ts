import { t } from '@lingui/core/macro';
import { DEALS_TO_ESTABLISH, OPEN_DEALS_AFTER_FIRST, OPEN_DEALS_AT_FIRST } from '#contract/base/limits.ts';
import type { Page } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { quote } from '#contract/base/words.ts';
import type { DealType } from '#contract/deals/deals.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import type { ListTransactionLogsInput, TransactionLog } from '#contract/people/notifications.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import type { LockedCoupon } from '#server/coupons/core/reservations.ts';
import type { Trx } from '#server/database/client.ts';
import { isBannedOrGone } from '#server/people/accounts/service.ts';
import { read } from '#server/texts/reading.ts';
import { countGoneWell } from './ladder-store.ts';
import { tradeObstacle } from './rules.ts';
import * as store from './store.ts';

/**
 * Finds a locked coupon and checks that a new deal may include it.
 * @param given.wrongOwner returns the objection to its owner, or null
 * @throws AppError not_found; forbidden, coupon_unavailable or coupon_reserved on the input field `path`
 */
export function findOfferable(
  coupons: readonly LockedCoupon[],
  given: { id: number; path: string; at: Date; wrongOwner: (ownerId: number) => string | null },
): LockedCoupon {
  const { id, path, at, wrongOwner } = given;
  const coupon = coupons.find((locked) => locked.id === id);
  if (!coupon || coupon.deletedAt !== null) throw notFound(t`Coupon not found`);
  const forbidden = wrongOwner(coupon.ownerId);
  if (forbidden !== null) throw fieldError('forbidden', path, forbidden);
  const obstacle = tradeObstacle(coupon, at);
  if (obstacle !== null) throw fieldError('coupon_unavailable', path, obstacle);
  if (coupon.heldBy !== null) throw fieldError('coupon_reserved', path, TEXTS.exchanges.reserved());
  return coupon;
}

/** @throws AppError coupon_unavailable on the input field `path`: its owner wants no proposals */
export function checkOpenToOffers(
  { title, isOpenToOffers }: Pick<LockedCoupon, 'title' | 'isOpenToOffers'>,
  path: string,
): void {
  if (!isOpenToOffers)
    throw fieldError('coupon_unavailable', path, t`${quote(title)} is not open to exchanges`);
}

/** What follows from what happened: changes, in the order in which they are written, or a refusal, which changes nothing. */
export type Decision<Change> = readonly Change[] | AppError;

/** The changes that were decided. @throws the refusal */
export function changesOf<Change>(decision: Decision<Change>): readonly Change[] {
  if (decision instanceof AppError) throw decision;
  return decision;
}

/** Asks what a decision needs to know of another room. @returns its refusal; null if it has none */
export async function refusalOf(check: Promise<void>): Promise<AppError | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * Counts a completed deal for each of its parties or, with -1, takes away a sale that was undone. Notes who of them may be
 * one person.
 */
export async function countCompleted(
  trx: Trx,
  type: DealType,
  userIds: readonly number[],
  by: 1 | -1 = 1,
): Promise<void> {
  const column = type === 'exchange' ? 'successfulExchanges' : 'acceptedBids';
  await store.addCompleted(trx, column, userIds, by);
}

/**
 * Refuses a banned person who offers no coupon. (Offered coupons need no check: a banned person has none listed.)
 * @throws AppError forbidden
 */
export async function checkNotBanned(trx: Trx, userId: number): Promise<void> {
  if (await isBannedOrGone(trx, userId)) {
    throw new AppError('forbidden', t`Your account is closed. You cannot start a deal.`);
  }
}

/**
 * New people have few deals open at a time, more once the first has gone well, and as many as they like after
 * DEALS_TO_ESTABLISH with different people (decisions 3.16). Locks a new person's row until the transaction ends, so that
 * simultaneous deals count each other. Lock coupons and deals first.
 * @throws AppError too_many_deals
 */
export async function checkDealLimit(trx: Trx, userId: number, at: Date): Promise<void> {
  const ladder = await dealsLeft(trx, userId, at);
  if (ladder && ladder.left <= 0)
    throw new AppError('too_many_deals', dealLimitText(ladder.most, ladder.goneWell));
}

/**
 * How many more deals a new person may have open, of how many, by that ladder; null: as many as they like. Locks a new person's row until
 * the transaction ends.
 */
export async function dealsLeft(
  trx: Trx,
  userId: number,
  at: Date,
): Promise<{ left: number; most: number; goneWell: number } | null> {
  if (!(await store.lockNewcomer(trx, userId))) return null;
  const claimableSince = addHours(at, -CLAIM_HOURS);
  const goneWell = await countGoneWell(trx, userId, claimableSince);
  if (goneWell >= DEALS_TO_ESTABLISH) {
    await store.establish(trx, userId, at);
    return null;
  }
  const most = goneWell === 0 ? OPEN_DEALS_AT_FIRST : OPEN_DEALS_AFTER_FIRST;
  return { left: most - (await store.countOpen(trx, userId, claimableSince)), most, goneWell };
}

function dealLimitText(most: number, goneWell: number): string {
  return goneWell === 0
    ? t`You have ${most} deals open. As a new member you can have ${most} at a time until the first has gone well: a deal stays open until the time to claim is over. Withdraw one, or wait until one has ended.`
    : t`You have ${most} deals open. As a new member you can have ${most} at a time until deals with ${DEALS_TO_ESTABLISH} people have gone well: a deal stays open until the time to claim is over. Withdraw one, or wait until one has ended.`;
}

/** The caller's history, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listTransactionLogs(
  ctx: MemberContext,
  { kind, ...paging }: ListTransactionLogsInput,
): Promise<Page<TransactionLog>> {
  const { rows, ...page } = await store.listLogs(ctx.db, { userId: ctx.actor.id, kind }, paging);
  return { items: rows.map((row) => toTransactionLog(ctx, row)), ...page };
}

/** A line of history, for its owner, with the current state of its deal. */
function toTransactionLog(ctx: Context, { text, ...row }: store.LogRow): TransactionLog {
  const { exchangeStatus, requestedCoupon, offeredCoupon, createdAt, ...rest } = row;
  const { bidStatus, bidAmount, bidCoupon, ...line } = rest;
  return {
    ...line,
    details: read(ctx, text, line.details),
    createdAt: createdAt.toISOString(),
    exchange:
      exchangeStatus && requestedCoupon && offeredCoupon
        ? { status: exchangeStatus, requestedCoupon, offeredCoupon }
        : null,
    bid:
      bidStatus === null || bidAmount === null
        ? null
        : { status: bidStatus, amount: bidAmount, coupon: bidCoupon },
  };
}

export {
  cancelAcceptedExchange,
  cancelOpenDeals,
  cancelPendingDeals,
  endDeals,
  endRefusedDeal,
  listOpenDeals,
  lockOpenDeals,
  type OpenDeal,
} from './apply.ts';
export { endClaim, insertClaim } from './claims-store.ts';
export { acceptedDeal, expiredOf } from './decide.ts';
export { expireDeals } from './expiry.ts';
export { countGoneWell } from './ladder-store.ts';
export { giveObstacle, judgeMove, saleObstacle, stateText } from './rules.ts';
export { agreedTerms, type Terms, termsNow } from './terms.ts';
