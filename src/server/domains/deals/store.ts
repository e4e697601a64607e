import { sql } from 'kysely';
import type { Transferable } from '#contract/coupon-facts.ts';
import type { DealStatus } from '#contract/deals.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { hasCode } from '../coupon-summary.ts';
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
  readonly transferable: Transferable;
  /** Its last valid day, `YYYY-MM-DD`; null when it never expires. */
  readonly expiryDate: string | null;
  readonly isOpenToOffers: boolean;
  /** Null when it is free. */
  readonly heldBy: Holder | null;
}

/** `for no key update` blocks other writers, but not history lines that only refer to a coupon by foreign key. */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<LockedCoupon[]> {
  const coupons = await trx
    .selectFrom('coupons')
    .select(['id', 'ownerId', 'title', 'isActive', 'deletedAt', 'category', 'expiryDate'])
    .select(['transferable', 'isOpenToOffers'])
    .$narrowType<{ transferable: Transferable }>()
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

/** Compare-and-set: throws when the bid is not in the state `from`. */
export async function moveBid(
  trx: Trx,
  id: number,
  given: { from: DealStatus; to: DealStatus; reason: string | null; at: Date },
): Promise<void> {
  const { from, to, reason, at } = given;
  await trx
    .updateTable('bids')
    .set({ status: to, reason, updatedAt: at })
    .$if(to === 'accepted', (update) => update.set({ acceptedAt: at }))
    .$if(to === 'completed', (update) => update.set({ completedAt: at }))
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow();
}

export interface CouponMove {
  readonly couponId: number;
  readonly fromUserId: number;
  readonly toUserId: number;
}

/** Compare-and-set of each. @returns false when a giver does not own the coupon */
export async function moveCoupons(trx: Trx, moves: readonly CouponMove[], at: Date): Promise<boolean> {
  const [ids, givers, takers] = [
    moves.map(({ couponId }) => couponId),
    moves.map(({ fromUserId }) => fromUserId),
    moves.map(({ toUserId }) => toUserId),
  ];
  const { numAffectedRows } = await sql`
    update coupons set owner_id = move.taker_id, updated_at = ${at}
    from unnest(${ids}::integer[], ${givers}::integer[], ${takers}::integer[]) as move (coupon_id, giver_id, taker_id)
    where coupons.id = move.coupon_id and coupons.owner_id = move.giver_id`.execute(trx);
  return Number(numAffectedRows) === moves.length;
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
  const [ids, takers] = [moves.map(({ couponId }) => couponId), moves.map(({ toUserId }) => toUserId)];
  await sql`
    insert into coupon_reveals (coupon_id, user_id, revealed_at)
    select coupon_id, taker_id, ${at}::timestamptz from unnest(${ids}::integer[], ${takers}::integer[]) as move (coupon_id, taker_id)
    where ${hasCode(sql.ref('move.couponId'))}`.execute(trx);
}

export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await trx
    .updateTable('coupons')
    // The end of a ban would list again what it has hidden.
    .set({ isActive: false, isHiddenByBan: false, updatedAt: at })
    .where('id', '=', couponId)
    .execute();
}

/** Locks people in id order, so that two deals of the same pair cannot deadlock. To be updated in the same statement. */
function lockedPeople(userIds: readonly number[]) {
  return sql`locked as materialized (
    select id from users where id = any(${[...userIds]}::integer[]) order by id for no key update)`;
}

export async function addSuccessfulExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  await sql`
    with ${lockedPeople(userIds)}
    update users set successful_exchanges = successful_exchanges + 1
    from locked where users.id = locked.id`.execute(trx);
}

export async function addAcceptedBid(trx: Trx, userIds: readonly number[], by: 1 | -1): Promise<void> {
  await sql`
    with ${lockedPeople(userIds)}
    update users set accepted_bids = accepted_bids + ${by}::integer
    from locked where users.id = locked.id`.execute(trx);
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
  await sql`
    with ${lockedPeople(ids)}
    update users set total_rating = total_rating + gain.total, rating_count = rating_count + gain.count
    from locked
      join unnest(${ids}::integer[], ${counts}::integer[], ${totals}::integer[]) as gain (user_id, count, total)
        on gain.user_id = locked.id
    where users.id = locked.id`.execute(trx);
}

export interface VerifiedCount {
  readonly userId: number;
  readonly found: number;
}

export async function setVerifiedCoupons(trx: Trx, counts: readonly VerifiedCount[]): Promise<void> {
  const ids = counts.map(({ userId }) => userId);
  await sql`
    with ${lockedPeople(ids)}
    update users set verified_coupons = counted.found
    from locked
      join unnest(${ids}::integer[], ${counts.map(({ found }) => found)}::integer[]) as counted (user_id, found)
        on counted.user_id = locked.id
    where users.id = locked.id`.execute(trx);
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

export interface PendingDeal {
  readonly kind: 'exchange' | 'bid';
  readonly id: number;
  /** The requester or bidder. */
  readonly initiatorId: number;
}

/** The pending deals between two people, whoever began them. */
export async function listPendingDeals(
  db: Database | Trx,
  one: number,
  other: number,
): Promise<PendingDeal[]> {
  const { rows } = await sql<PendingDeal>`
    select 'exchange' as kind, exchange_id as id, requester_id as initiator_id
    from exchange_parties as party join exchanges on exchanges.id = exchange_id
    where party.status = 'pending' and user_id = ${one}
      and exists (select from exchange_parties where exchange_id = exchanges.id and user_id = ${other})
    union all
    select 'bid', id, bidder_id from bids
    where status = 'pending'
      and (bidder_id = ${one} and owner_id = ${other} or bidder_id = ${other} and owner_id = ${one})`.execute(
    db,
  );
  return rows;
}
