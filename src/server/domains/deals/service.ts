import type { BidReason, BidSide, DealStatus, DealType, ExchangeSide } from '#contract/deals.ts';
import { DEALS_TO_ESTABLISH, OPEN_DEALS_AFTER_FIRST, OPEN_DEALS_AT_FIRST } from '#contract/limits.ts';
import { TEXTS } from '#contract/texts.ts';
import { quote } from '#contract/words.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { type Database, refuseDuplicate, type Trx } from '#server/database/client.ts';
import * as limitStore from './deal-limit-store.ts';
import { type DealKey, tradeObstacle } from './rules.ts';
import * as store from './store.ts';

export type { LockedCoupon, RatingGain } from './store.ts';

/** A locked coupon whose holder does not matter. */
export type TradedCoupon = Omit<store.LockedCoupon, 'heldBy'>;

/** A transition table of the contract: from, to, allowed sides. */
type Transitions<Side extends string> = Record<DealStatus, Partial<Record<DealStatus, readonly Side[]>>>;

/**
 * Checks a move against the transition table. `forbidden`: never allowed for this side; `stale`: not possible from the
 * current state.
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

/** The message for a stale call: the deal's current state. */
export function stateText(type: DealType, status: DealStatus): string {
  return status === 'pending' ? `This ${type} is still pending.` : `This ${type} is already ${status}.`;
}

/** The reason stored when one side ends a deal; null for other moves. */
export function reasonOf<Side extends ExchangeSide | BidSide>(
  to: DealStatus,
  side: Side,
): `by_${Side}` | null {
  return to === 'rejected' || to === 'cancelled' ? `by_${side}` : null;
}

/**
 * Locks coupons in id order until the transaction ends and reads them. Whoever changes a coupon or a deal on it takes
 * these locks first, then exchanges, bids, payments and people, each in id order. This order prevents deadlocks.
 * @returns the coupons that exist, deleted ones included, in id order
 */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<store.LockedCoupon[]> {
  return store.lockCoupons(trx, ids);
}

/** Locks the coupons that an exchange has before the wait, like `lockCoupons`; none for strangers. */
export async function lockCouponsOfExchange(
  trx: Trx,
  exchangeId: number,
  userId: number,
): Promise<TradedCoupon[]> {
  return store.lockCouponsOfExchange(trx, exchangeId, userId);
}

/**
 * Finds a locked coupon and checks that a new deal may include it.
 * @param given.wrongOwner returns the objection to its owner, or null
 * @throws AppError not_found; forbidden, coupon_unavailable or coupon_reserved on the input field `path`
 */
export function findOfferable(
  coupons: readonly store.LockedCoupon[],
  given: { id: number; path: string; at: Date; wrongOwner: (ownerId: number) => string | null },
): store.LockedCoupon {
  const { id, path, at, wrongOwner } = given;
  const coupon = coupons.find((locked) => locked.id === id);
  if (!coupon || coupon.deletedAt !== null) throw notFound('Coupon');
  const forbidden = wrongOwner(coupon.ownerId);
  if (forbidden !== null) throw fieldError('forbidden', path, forbidden);
  const obstacle = tradeObstacle(coupon, at);
  if (obstacle !== null) throw fieldError('coupon_unavailable', path, obstacle);
  if (coupon.heldBy !== null) throw fieldError('coupon_reserved', path, TEXTS.exchanges.reserved);
  return coupon;
}

/** @throws AppError coupon_unavailable on the input field `path`: its owner wants no proposals */
export function checkOpenToOffers(
  { title, isOpenToOffers }: Pick<store.LockedCoupon, 'title' | 'isOpenToOffers'>,
  path: string,
): void {
  if (!isOpenToOffers) throw fieldError('coupon_unavailable', path, `${quote(title)} is not open to offers`);
}

/** @throws AppError coupon_unavailable unless the giver still owns the coupon and may trade it today */
export function checkStillTradable(coupon: TradedCoupon, giverId: number, at: Date): void {
  const obstacle =
    tradeObstacle(coupon, at) ??
    (coupon.ownerId === giverId ? null : `${quote(coupon.title)} has changed hands meanwhile`);
  if (obstacle !== null) throw new AppError('coupon_unavailable', obstacle);
}

/**
 * Reserves coupons for an accepted deal. The table's primary key decides races (decisions 3.1).
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
 * Compare-and-set of a bid's state. Throws when the bid is not in the state `from`, which its lock rules out.
 * @param given.reason why it ended; null while it goes on
 * @param given.isAutomatic whether a price that the owner had set does it
 */
export async function moveBid(
  trx: Trx,
  id: number,
  given: { from: DealStatus; to: DealStatus; reason: BidReason | null; at: Date; isAutomatic?: boolean },
): Promise<void> {
  await store.moveBid(trx, id, given);
}

export async function releaseReservation(trx: Trx, deal: DealKey): Promise<void> {
  await store.deleteReservations(trx, deal);
}

/**
 * Changes the owners of coupons, records the transfers, and records that each new owner may see the code (decisions
 * 3.3).
 * @param given.isReturn whether this undoes a sale
 * @throws AppError deal_changed when a coupon is no longer its giver's
 */
export async function transferCoupons(
  trx: Trx,
  given: { deal: DealKey; moves: readonly store.CouponMove[]; at: Date; isReturn?: boolean },
): Promise<void> {
  const isMoved = await store.moveCoupons(trx, { isReturn: false, ...given });
  if (!isMoved) throw new AppError('deal_changed', 'One of the coupons has changed hands meanwhile.');
}

/** Hides a coupon from the lists; its owner keeps it. */
export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await store.delistCoupon(trx, couponId, at);
}

/** Counts a completed exchange for each of its parties, and notes who of them may be one person. */
export async function countCompletedExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  await store.addSuccessfulExchange(trx, userIds);
}

/**
 * Counts a completed sale for each of its parties or, with -1, takes away one that was undone. Notes whether they may be
 * one person.
 */
export async function countCompletedSale(trx: Trx, userIds: readonly number[], by: 1 | -1): Promise<void> {
  await store.addAcceptedBid(trx, userIds, by);
}

/** Counts a code that a person gave in an exchange and that did not work. */
export async function countFailedCode(trx: Trx, userId: number): Promise<void> {
  await store.addFailedCode(trx, userId);
}

/** Adds newly visible ratings to each person's totals. One gain per person. */
export async function countRatings(trx: Trx, gains: readonly store.RatingGain[]): Promise<void> {
  if (gains.length > 0) await store.addRatings(trx, gains);
}

/** Stores how many verified coupons each person has listed. */
export async function countVerifiedCoupons(trx: Trx, counts: readonly store.Found[]): Promise<void> {
  if (counts.length > 0) await store.setCounted(trx, 'verifiedCoupons', counts);
}

/** Stores with how many people each person has completed deals that count. */
export async function countDealPartners(trx: Trx, counts: readonly store.Found[]): Promise<void> {
  if (counts.length > 0) await store.setCounted(trx, 'dealPartners', counts);
}

/** Whether a person is banned or has left. Locks the person until the transaction ends; lock deals first. */
export async function isBannedOrGone(trx: Trx, userId: number): Promise<boolean> {
  return store.isBannedOrGone(trx, userId);
}

/**
 * Refuses a banned person who offers no coupon. (Offered coupons need no check: a banned person has none listed.)
 * @throws AppError forbidden
 */
export async function checkNotBanned(trx: Trx, userId: number): Promise<void> {
  if (await store.isBannedOrGone(trx, userId)) {
    throw new AppError('forbidden', 'Your account is closed. You cannot begin a deal.');
  }
}

/** The pending deals between two people. */
export async function listPendingDeals(
  db: Database | Trx,
  one: number,
  other: number,
): Promise<store.PendingDeal[]> {
  return store.listPendingDeals(db, one, other);
}

/** Whether a deal between two people is pending. */
export async function hasPendingDeals(trx: Trx, one: number, other: number): Promise<boolean> {
  return (await store.listPendingDeals(trx, one, other)).length > 0;
}

/**
 * New people have few deals open at a time, more once the first has gone well, and as many as they like after
 * DEALS_TO_ESTABLISH with different people (decisions 3.16). Locks a new person's row until the transaction ends, so that
 * simultaneous deals count each other. Lock coupons and deals first.
 * @throws AppError too_many_deals
 */
export async function checkDealLimit(trx: Trx, userId: number, at: Date): Promise<void> {
  if (!(await limitStore.lockNewcomer(trx, userId))) return;
  const { open, goneWell } = await limitStore.countDeals(trx, userId, at);
  if (goneWell >= DEALS_TO_ESTABLISH) return limitStore.establish(trx, userId, at);
  const most = goneWell === 0 ? OPEN_DEALS_AT_FIRST : OPEN_DEALS_AFTER_FIRST;
  if (open >= most) throw new AppError('too_many_deals', dealLimitText(most, goneWell));
}

function dealLimitText(most: number, goneWell: number): string {
  const until =
    goneWell === 0
      ? 'until the first has gone well'
      : `until deals with ${DEALS_TO_ESTABLISH} people have gone well`;
  return `You have ${most} deals open. As a new member you can have ${most} at a time ${until}: a deal stays open until the time to claim is over. Withdraw one, or wait until one has ended.`;
}
