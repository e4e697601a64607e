import type {
  BidReason,
  BidSide,
  DealReason,
  DealRef,
  DealStatus,
  DealType,
  ExchangeSide,
} from '#contract/deals.ts';
import { TEXTS } from '#contract/texts.ts';
import { utcDay } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { refuseDuplicate, type Trx } from '#server/database/client.ts';
import { type DealKey, tradeObstacle } from './rules.ts';
import * as store from './store.ts';

export type { LockedCoupon, RatingGain } from './store.ts';

/** Who may move a deal from where to where: a table of the contract. */
type Transitions<Side extends string> = Record<DealStatus, Partial<Record<DealStatus, readonly Side[]>>>;

/**
 * Judges a move by the contract's table. `forbidden`: not for this side, whether now or ever; `stale`: the deal is
 * not in a state from which it goes there by anybody's hand.
 */
export function judgeMove<Side extends string>(
  transitions: Transitions<Side>,
  { from, to, side }: { from: DealStatus; to: DealStatus; side: Side },
): 'allowed' | 'forbidden' | 'stale' {
  const sidesNow = transitions[from][to] ?? [];
  if (sidesNow.length > 0) return sidesNow.includes(side) ? 'allowed' : 'forbidden';
  const everAllowed = Object.values(transitions).some((moves) => moves[to]?.includes(side));
  return everAllowed ? 'stale' : 'forbidden';
}

/** What a stale click is told: the state that the deal is truly in. */
export function stateText(type: DealType, status: DealStatus): string {
  return status === 'pending' ? `This ${type} is still pending.` : `This ${type} is already ${status}.`;
}

/** Why a deal ends by the hand of one side; null where it does not end, or is completed. */
export function reasonOf<Side extends ExchangeSide | BidSide>(
  to: DealStatus,
  side: Side,
): `by_${Side}` | null {
  return to === 'rejected' || to === 'cancelled' ? `by_${side}` : null;
}

/**
 * Locks coupons in id order until the transaction ends, and reads them as they now are. Whoever changes a coupon
 * or a deal on it takes these locks first: that order is what keeps deals from deadlocking. After them come
 * exchanges, bids, payments and people, each in id order.
 * @returns those that exist, deleted ones included, in id order
 */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<store.LockedCoupon[]> {
  return store.lockCoupons(trx, ids);
}

/**
 * A coupon, among the locked ones, that may become part of a new deal.
 * @param given.wrongOwner what speaks against its owner; null when nothing does
 * @throws AppError not_found; forbidden, coupon_unavailable or coupon_reserved on the input field `path`
 */
export function offerable(
  coupons: readonly store.LockedCoupon[],
  given: { id: number; path: string; at: Date; wrongOwner: (ownerId: number) => string | null },
): store.LockedCoupon {
  const { id, path, at, wrongOwner } = given;
  const coupon = coupons.find((locked) => locked.id === id);
  if (!coupon || coupon.deletedAt !== null) throw notFound('Coupon');
  const forbidden = wrongOwner(coupon.ownerId);
  if (forbidden !== null) throw fieldError('forbidden', path, forbidden);
  const obstacle = tradeObstacle(coupon, utcDay(at));
  if (obstacle !== null) throw fieldError('coupon_unavailable', path, obstacle);
  if (coupon.heldBy !== null) throw fieldError('coupon_reserved', path, TEXTS.exchanges.reserved);
  return coupon;
}

/** @throws AppError coupon_unavailable unless the coupon is still its giver's and can change hands today */
export function checkStillTradable(coupon: store.LockedCoupon, giverId: number, at: Date): void {
  const obstacle =
    tradeObstacle(coupon, utcDay(at)) ??
    (coupon.ownerId === giverId ? null : `“${coupon.title}” has changed hands meanwhile`);
  if (obstacle !== null) throw new AppError('coupon_unavailable', obstacle);
}

/**
 * Commits coupons to an accepted deal. The table's primary key judges the race (decisions 3.1).
 * @throws AppError coupon_reserved when another deal holds one of them
 */
export async function reserveCoupons(
  trx: Trx,
  { deal, couponIds, at }: { deal: DealKey; couponIds: readonly number[]; at: Date },
): Promise<void> {
  await refuseDuplicate(
    store.insertReservations(trx, deal, couponIds, at),
    'coupon_reservations_pkey',
    (cause) => new AppError('coupon_reserved', TEXTS.exchanges.reserved, { cause }),
  );
}

/**
 * Compare-and-set of a deal's state: fails when the deal is not in the state `from`, which its lock rules out.
 * @param given.reason who or what ended it; null where it goes on
 */
export async function moveDeal(
  trx: Trx,
  deal: DealRef,
  given: { from: DealStatus; to: DealStatus; reason: DealReason | BidReason | null; at: Date },
): Promise<void> {
  await store.moveDeal(trx, deal, given);
}

/** Frees the coupons that a deal holds. */
export async function releaseReservation(trx: Trx, deal: DealKey): Promise<void> {
  await store.deleteReservations(trx, deal);
}

/**
 * Moves coupons from owner to owner, writes down each transfer, and records that each new owner now sees the
 * code (decisions 3.3).
 * @param given.isReturn a sale is undone, and its coupon goes back
 * @throws AppError deal_changed when a coupon is no longer its giver's
 */
export async function transferCoupons(
  trx: Trx,
  given: { deal: DealKey; moves: readonly store.CouponMove[]; at: Date; isReturn?: boolean },
): Promise<void> {
  const { deal, moves, at, isReturn = false } = given;
  for (const move of moves) {
    const isMoved = await store.moveCoupon(trx, move, at);
    if (!isMoved) throw new AppError('deal_changed', 'One of the coupons has changed hands meanwhile.');
  }
  await store.insertTransfers(trx, { deal, moves, isReturn, at });
  await store.insertReveals(trx, moves, at);
}

/** Takes a coupon off the lists; its owner keeps it. */
export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await store.delistCoupon(trx, couponId, at);
}

/** Counts a completed exchange for each of its parties. */
export async function countCompletedExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  await store.addSuccessfulExchange(trx, userIds);
}

/** Counts a completed sale for each of its parties or, with -1, takes away one that was undone. */
export async function countCompletedSale(trx: Trx, userIds: readonly number[], by: 1 | -1): Promise<void> {
  await store.addAcceptedBid(trx, userIds, by);
}

/** Adds ratings that can be seen from now on to what each person's ratings come to. One gain a person. */
export async function countRatings(trx: Trx, gains: readonly store.RatingGain[]): Promise<void> {
  if (gains.length > 0) await store.addRatings(trx, gains);
}

/** Writes down how many verified coupons these people have listed. */
export async function countVerifiedCoupons(trx: Trx, counts: readonly store.VerifiedCount[]): Promise<void> {
  if (counts.length > 0) await store.setVerifiedCoupons(trx, counts);
}

/** Whether somebody is banned or gone; locked until the transaction ends. Lock deals first. */
export async function isBannedOrGone(trx: Trx, userId: number): Promise<boolean> {
  return store.isBannedOrGone(trx, userId);
}

/**
 * Refuses a deal of somebody who has been banned in this very moment and brings no coupon of their own: coupons are
 * judged under their lock, and a banned person has none on the lists.
 * @throws AppError forbidden
 */
export async function checkNotBanned(trx: Trx, userId: number): Promise<void> {
  if (await store.isBannedOrGone(trx, userId)) {
    throw new AppError('forbidden', 'Your account is closed. You cannot begin a deal.');
  }
}
