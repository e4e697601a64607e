import { DEADLINE_DAYS } from '#contract/deals.ts';
import { TEXTS } from '#contract/texts.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { notifyAll, recordLogs } from '../notifications/service.ts';
import { type EndedDeal, endingAction, exchangeLink, type RuleReason, tellOfEnding } from './rules.ts';
import * as store from './store.ts';

export { exchangeLink } from './rules.ts';
export type { LockedCoupon } from './store.ts';

/**
 * Locks coupons in id order until the transaction ends, and reads them as they now are. Whoever changes a coupon
 * or a deal on it takes these locks first: that order is what keeps deals from deadlocking.
 * @returns those that exist, deleted ones included, in id order
 */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<store.LockedCoupon[]> {
  return store.lockCoupons(trx, ids);
}

/**
 * Commits coupons to an accepted exchange. The table's primary key judges the race (decisions 3.1).
 * @throws AppError coupon_reserved when another deal holds one of them
 */
export async function reserveCoupons(
  trx: Trx,
  { exchangeId, couponIds, at }: { exchangeId: number; couponIds: readonly number[]; at: Date },
): Promise<void> {
  try {
    await store.insertReservations(trx, exchangeId, couponIds, at);
  } catch (error) {
    if (!isUniqueViolation(error, 'coupon_reservations_pkey')) throw error;
    throw new AppError('coupon_reserved', TEXTS.exchanges.reserved, { cause: error });
  }
}

/** Frees the coupons that an exchange holds. */
export async function releaseReservation(trx: Trx, exchangeId: number): Promise<void> {
  await store.deleteReservations(trx, exchangeId);
}

/**
 * Moves coupons from owner to owner, writes down each transfer, and records that each new owner now sees the
 * code (decisions 3.3).
 * @throws AppError deal_changed when a coupon is no longer its giver's
 */
export async function transferCoupons(
  trx: Trx,
  { exchangeId, moves, at }: { exchangeId: number; moves: readonly store.CouponMove[]; at: Date },
): Promise<void> {
  for (const move of moves) {
    const isMoved = await store.moveCoupon(trx, move, at);
    if (!isMoved) throw new AppError('deal_changed', 'One of the coupons has changed hands meanwhile.');
  }
  await store.insertTransfers(trx, exchangeId, moves, at);
  await store.insertReveals(trx, moves, at);
}

/** Counts a completed exchange for each of its parties. */
export async function countCompletedExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  await store.addSuccessfulExchange(trx, userIds);
}

/**
 * Cancels every pending deal on these coupons; the caller holds the coupons' locks. Both parties of each deal find
 * a line in their history, and whoever did not bring it about is notified why.
 * @param actorId whose act ended them; null when a rule did
 * @returns how many were cancelled
 */
export async function cancelPendingDeals(
  trx: Trx,
  given: { couponIds: readonly number[]; reason: RuleReason; at: Date; actorId: number | null },
): Promise<number> {
  const { couponIds: causeIds, reason, at, actorId } = given;
  const ids = await store.lockPendingOn(trx, causeIds);
  const ended = await store.cancelExchanges(trx, { ids, from: 'pending', reason, at, causeIds });
  await tellParties(trx, ended, { reason, at, actorId });
  return ended.length;
}

/** Writes the history of both parties of each ended deal and notifies them, the actor apart. */
async function tellParties(
  trx: Trx,
  ended: readonly EndedDeal[],
  { reason, at, actorId }: { reason: RuleReason; at: Date; actorId: number | null },
): Promise<void> {
  const told = ended.flatMap((deal) => {
    const text = tellOfEnding(deal, reason);
    return [
      { userId: deal.requesterId, exchangeId: deal.id, text: text.requester },
      { userId: deal.ownerId, exchangeId: deal.id, text: text.owner },
    ];
  });
  const action = endingAction(reason);
  await recordLogs(
    trx,
    told.map(({ userId, exchangeId, text }) => ({ userId, actorId, action, details: text, exchangeId, at })),
  );
  await notifyAll(
    trx,
    told
      .filter(({ userId }) => userId !== actorId)
      .map(({ userId, exchangeId, text }) => ({
        userId,
        type: 'other' as const,
        content: text,
        relatedId: exchangeId,
        link: exchangeLink(exchangeId),
        at,
        mailSubject: 'Your exchange was cancelled',
      })),
  );
}

/** How many deals of each kind one run ends; what is left waits for the next. */
const DUE_AT_ONCE = 500;

/**
 * Ends the deals whose time is up (decisions 3.6): pending and accepted exchanges past their deadline, and pending
 * ones on a coupon that has expired. Each goes in a transaction of its own, so that a person who acts in the same
 * moment wins or loses cleanly, and one that fails does not hold up the rest. Both parties are told why.
 * @returns how many were ended
 */
export async function lapseDeadlines(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const due = await store.listDue(ctx.db, {
    pendingBefore: addDays(now, -DEADLINE_DAYS.exchangePending),
    acceptedBefore: addDays(now, -DEADLINE_DAYS.exchangeAccepted),
    today: utcDay(now),
    limit: DUE_AT_ONCE,
  });
  let count = 0;
  for (const exchange of due) {
    try {
      if (await inTransaction(ctx.db, (trx) => lapse(trx, exchange, now))) count += 1;
    } catch (error) {
      ctx.log.error(
        { err: error, exchangeId: exchange.id },
        'an exchange whose time is up could not be ended',
      );
    }
  }
  return count;
}

/** Whether it was ended; not when a person has acted since it was found. */
async function lapse(trx: Trx, due: store.DueExchange, at: Date): Promise<boolean> {
  const coupons = await lockCoupons(trx, [due.requestedCouponId, due.offeredCouponId]);
  const current = await store.lockExchange(trx, due.id, due.from);
  if (current?.offeredCouponId !== due.offeredCouponId) return false;
  const expired = coupons.filter(({ expiryDate }) => expiryDate !== null && expiryDate < utcDay(at));
  if (due.reason === 'coupon_expired' && expired.length === 0) return false;
  const ended = await store.cancelExchanges(trx, {
    ids: [due.id],
    from: due.from,
    reason: due.reason,
    at,
    causeIds: due.reason === 'coupon_expired' ? expired.map(({ id }) => id) : [],
  });
  if (due.from === 'accepted') await releaseReservation(trx, due.id);
  await tellParties(trx, ended, { reason: due.reason, at, actorId: null });
  return ended.length > 0;
}
