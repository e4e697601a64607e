import { sql } from 'kysely';
import type { DealRef, DealStatus } from '#contract/deals.ts';
import type { Trx } from '#server/database/client.ts';
import type { DealKey } from './rules.ts';

/** What holds a coupon: an accepted deal, or a paid sale that is not final. */
type Holder = 'exchange' | 'bid' | 'protection';

export interface LockedCoupon {
  readonly id: number;
  readonly ownerId: number;
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  /** Its last valid day, `YYYY-MM-DD`; null when it never expires. */
  readonly expiryDate: string | null;
  /** Null when it is free. */
  readonly heldBy: Holder | null;
}

/** `for no key update` blocks other writers, but not history lines that only refer to a coupon by foreign key. */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<LockedCoupon[]> {
  const coupons = await trx
    .selectFrom('coupons')
    .select(['id', 'ownerId', 'title', 'isActive', 'deletedAt', 'category', 'expiryDate'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  // A separate statement, so that it sees what the previous holder of the lock committed.
  const reservations = await trx
    .selectFrom('couponReservations')
    .leftJoin('bids', 'bids.id', 'couponReservations.bidId')
    .select(['couponReservations.couponId', 'couponReservations.bidId', 'bids.status as bidStatus'])
    .where('couponReservations.couponId', 'in', [...ids])
    .execute();
  const holders = new Map(reservations.map((reservation) => [reservation.couponId, holderOf(reservation)]));
  return coupons.map((coupon) => ({ ...coupon, heldBy: holders.get(coupon.id) ?? null }));
}

function holderOf({ bidId, bidStatus }: { bidId: number | null; bidStatus: string | null }): Holder {
  if (bidId === null) return 'exchange';
  return bidStatus === 'completed' ? 'protection' : 'bid';
}

/** @throws a unique violation of coupon_reservations_pkey when another deal holds one of them */
export async function insertReservations(
  trx: Trx,
  deal: DealKey,
  couponIds: readonly number[],
  at: Date,
): Promise<void> {
  const rows = [...couponIds].sort((a, b) => a - b).map((couponId) => ({ couponId, ...deal, createdAt: at }));
  await trx.insertInto('couponReservations').values(rows).execute();
}

export async function deleteReservations(trx: Trx, deal: DealKey): Promise<void> {
  const reservations = trx.deleteFrom('couponReservations');
  const held =
    'bidId' in deal
      ? reservations.where('bidId', '=', deal.bidId)
      : reservations.where('exchangeId', '=', deal.exchangeId);
  await held.execute();
}

/** Compare-and-set: throws when the deal is not in the state `from`. */
export async function moveDeal(
  trx: Trx,
  { dealType, dealId }: DealRef,
  given: { from: DealStatus; to: DealStatus; reason: string | null; at: Date },
): Promise<void> {
  const { from, to, reason, at } = given;
  await trx
    .updateTable(dealType === 'exchange' ? 'exchanges' : 'bids')
    .set({ status: to, reason, updatedAt: at })
    .$if(to === 'accepted', (update) => update.set({ acceptedAt: at }))
    .$if(to === 'completed', (update) => update.set({ completedAt: at }))
    .where('id', '=', dealId)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow();
}

export interface CouponMove {
  readonly couponId: number;
  readonly fromUserId: number;
  readonly toUserId: number;
}

/** Compare-and-set. @returns false when the giver does not own the coupon */
export async function moveCoupon(trx: Trx, move: CouponMove, at: Date): Promise<boolean> {
  const moved = await trx
    .updateTable('coupons')
    .set({ ownerId: move.toUserId, updatedAt: at })
    .where('id', '=', move.couponId)
    .where('ownerId', '=', move.fromUserId)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

export async function insertTransfers(
  trx: Trx,
  given: { deal: DealKey; moves: readonly CouponMove[]; isReturn: boolean; at: Date },
): Promise<void> {
  const { deal, moves, isReturn, at } = given;
  const rows = moves.map((move) => ({ ...move, ...deal, isReturn, createdAt: at }));
  await trx.insertInto('couponTransfers').values(rows).execute();
}

/** Records that the new owners may see the codes; skips coupons without a code. */
export async function insertReveals(trx: Trx, moves: readonly CouponMove[], at: Date): Promise<void> {
  const ids = moves.map(({ couponId }) => couponId);
  const withCode = await trx
    .selectFrom('couponSecrets')
    .select('couponId')
    .where('couponId', 'in', ids)
    // Coupons whose code is only a picture.
    .union(
      trx
        .selectFrom('images')
        .select('couponId')
        .where('couponId', 'in', ids)
        .$narrowType<{ couponId: number }>(),
    )
    .execute();
  const hasCode = new Set(withCode.map(({ couponId }) => couponId));
  const rows = moves
    .filter(({ couponId }) => hasCode.has(couponId))
    .map(({ couponId, toUserId }) => ({ couponId, userId: toUserId, revealedAt: at }));
  if (rows.length > 0) await trx.insertInto('couponReveals').values(rows).execute();
}

export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await trx
    .updateTable('coupons')
    // The end of a ban would list again what it has hidden.
    .set({ isActive: false, isHiddenByBan: false, updatedAt: at })
    .where('id', '=', couponId)
    .execute();
}

/** Locks people in id order, so that two deals of the same pair cannot deadlock. */
async function lockPeople(trx: Trx, userIds: readonly number[]): Promise<void> {
  const people = trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...userIds]);
  await people.orderBy('id').forNoKeyUpdate().execute();
}

export async function addSuccessfulExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  await lockPeople(trx, userIds);
  await trx
    .updateTable('users')
    .set({ successfulExchanges: sql`successful_exchanges + 1` })
    .where('id', 'in', [...userIds])
    .execute();
}

export async function addAcceptedBid(trx: Trx, userIds: readonly number[], by: 1 | -1): Promise<void> {
  await lockPeople(trx, userIds);
  await trx
    .updateTable('users')
    .set({ acceptedBids: sql`accepted_bids + ${by}::integer` })
    .where('id', 'in', [...userIds])
    .execute();
}

/** An increase of a person's rating totals. */
export interface RatingGain {
  readonly userId: number;
  readonly count: number;
  readonly total: number;
}

export async function addRatings(trx: Trx, gains: readonly RatingGain[]): Promise<void> {
  const ids = gains.map(({ userId }) => userId);
  const counts = gains.map(({ count }) => count);
  const totals = gains.map(({ total }) => total);
  await lockPeople(trx, ids);
  await sql`
    update users set total_rating = total_rating + gain.total, rating_count = rating_count + gain.count
    from unnest(${ids}::integer[], ${counts}::integer[], ${totals}::integer[]) as gain (user_id, count, total)
    where users.id = gain.user_id`.execute(trx);
}

export interface VerifiedCount {
  readonly userId: number;
  readonly found: number;
}

export async function setVerifiedCoupons(trx: Trx, counts: readonly VerifiedCount[]): Promise<void> {
  const ids = counts.map(({ userId }) => userId);
  await lockPeople(trx, ids);
  await sql`
    update users set verified_coupons = counted.found
    from unnest(${ids}::integer[], ${counts.map(({ found }) => found)}::integer[]) as counted (user_id, found)
    where users.id = counted.user_id`.execute(trx);
}

/** `for key share` waits only for a ban in progress; foreign keys take the same lock. */
export async function isBannedOrGone(trx: Trx, userId: number): Promise<boolean> {
  const person = await trx
    .selectFrom('users')
    .select(['status', 'deletedAt'])
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  return person === undefined || person.status === 'banned' || person.deletedAt !== null;
}
