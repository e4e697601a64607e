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
  /** When its last day ends; null when it never expires. */
  readonly expiresAt: Date | null;
  readonly isOpenToOffers: boolean;
  /** A decimal text in CAD; null: none is stated. */
  readonly askingPrice: string | null;
  /** For the answers to bids alone: nobody but the owner may see it. */
  readonly priceFloor: string | null;
  /** Null when it is free. */
  readonly heldBy: Holder | null;
}

/** `for no key update` blocks other writers, but not history lines that only refer to a coupon by foreign key. */
function selectLocked(trx: Trx) {
  return trx
    .selectFrom('coupons')
    .select(['id', 'ownerId', 'title', 'isActive', 'deletedAt', 'category', 'expiresAt'])
    .select(['transferable', 'isOpenToOffers', 'askingPrice', 'priceFloor'])
    .$narrowType<{ transferable: Transferable }>()
    .orderBy('id')
    .forNoKeyUpdate();
}

export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<LockedCoupon[]> {
  const coupons = await selectLocked(trx)
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .execute();
  // A separate statement, so that it sees what the previous holder of the lock committed.
  const reservations = await trx
    .selectFrom('couponReservations')
    .leftJoin('bids', 'bids.id', 'couponReservations.bidId')
    .select(['couponReservations.couponId', 'couponReservations.bidId', 'bids.status as bidStatus'])
    .where('couponReservations.couponId', '=', sql<number>`any(${[...ids]}::integer[])`)
    .execute();
  const holders = new Map(reservations.map((reservation) => [reservation.couponId, holderOf(reservation)]));
  return coupons.map((coupon) => ({ ...coupon, heldBy: holders.get(coupon.id) ?? null }));
}

/** Locks the coupons of an exchange if this person takes part in it; does not say what holds them. */
export async function lockCouponsOfExchange(
  trx: Trx,
  exchangeId: number,
  userId: number,
): Promise<Omit<LockedCoupon, 'heldBy'>[]> {
  return selectLocked(trx)
    .where('id', 'in', (from) =>
      from
        .selectFrom('exchangeLegs as leg')
        .innerJoin('exchangeParties as party', 'party.exchangeId', 'leg.exchangeId')
        .select('leg.couponId')
        .where('leg.exchangeId', '=', exchangeId)
        .where('party.userId', '=', userId),
    )
    .execute();
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

/** Compare-and-set, accepted at the amount of its round: throws when the bid is not in the state `from`. */
export async function moveBid(
  trx: Trx,
  id: number,
  given: { from: DealStatus; to: DealStatus; reason: string | null; at: Date; isAutomatic?: boolean },
): Promise<void> {
  const { from, to, reason, at, isAutomatic } = given;
  await trx
    .updateTable('bids')
    .set({ status: to, reason, isAutomatic, updatedAt: at })
    .$if(to === 'accepted', (update) =>
      update.set({ acceptedAt: at, amount: sql`coalesce(counter_amount, amount)` }),
    )
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

/**
 * Changes the owners of coupons, and records the transfers and that the new owners may see the codes, as far as there
 * are any. Compare-and-set of each.
 * @returns false when a giver does not own the coupon
 */
export async function moveCoupons(
  trx: Trx,
  given: { deal: DealKey; moves: readonly CouponMove[]; isReturn: boolean; at: Date },
): Promise<boolean> {
  const { deal, moves, isReturn, at } = given;
  const each = (of: (move: CouponMove) => number) => sql`${moves.map(of)}::integer[]`;
  const { rows } = await sql<{ moved: number }>`
    with move as (
      select * from unnest(${each(({ couponId }) => couponId)}, ${each(({ fromUserId }) => fromUserId)},
        ${each(({ toUserId }) => toUserId)}) as move (coupon_id, from_user_id, to_user_id)
    ), moved as (
      update coupons set owner_id = to_user_id, client_key = null, updated_at = ${at} from move
      where coupons.id = coupon_id and owner_id = from_user_id returning coupons.id
    ), recorded as (
      insert into coupon_transfers (coupon_id, from_user_id, to_user_id, exchange_id, bid_id, is_return, created_at)
      select move.*, ${'exchangeId' in deal ? deal.exchangeId : null}::integer,
        ${'bidId' in deal ? deal.bidId : null}::integer, ${isReturn}::boolean, ${at}::timestamptz from move
    ), shown as (
      insert into coupon_reveals (coupon_id, user_id, revealed_at)
      select coupon_id, to_user_id, ${at}::timestamptz from move where ${hasCode(sql.ref('move.couponId'))}
    )
    select count(*) as moved from moved`.execute(trx);
  return rows[0]?.moved === moves.length;
}

export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await trx
    .updateTable('coupons')
    // The end of a ban would list again what it has hidden.
    .set({ isActive: false, isWithheld: false, updatedAt: at })
    .where('id', '=', couponId)
    .execute();
}

/** Locks people in id order, so that two deals of the same pair cannot deadlock. To be updated in the same statement. */
function lockedPeople(userIds: readonly number[]) {
  return sql`locked as materialized (
    select id from users where id = any(${[...userIds]}::integer[]) order by id for no key update)`;
}

/** Notes which of these people have lately signed in at the same internet address: they may be one person. */
function notedNetworks(userIds: readonly number[]) {
  const people = sql`unnest(${[...userIds]}::integer[])`;
  return sql`noted as (
    insert into uncounted_pairs (lower_id, higher_id)
    select lower.id, higher.id from ${people} as lower (id) join ${people} as higher (id) on lower.id < higher.id
    where exists (
      select from sign_ins as one join sign_ins as other on other.network_hash = one.network_hash
      where one.user_id = lower.id and other.user_id = higher.id)
    order by 1, 2
    on conflict do nothing)`;
}

export async function addSuccessfulExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  await sql`
    with ${lockedPeople(userIds)}, ${notedNetworks(userIds)}
    update users set successful_exchanges = successful_exchanges + 1
    from locked where users.id = locked.id`.execute(trx);
}

export async function addFailedCode(trx: Trx, userId: number): Promise<void> {
  await sql`update users set failed_codes = failed_codes + 1 where id = ${userId}`.execute(trx);
}

export async function addAcceptedBid(trx: Trx, userIds: readonly number[], by: 1 | -1): Promise<void> {
  await sql`
    with ${lockedPeople(userIds)}, ${notedNetworks(userIds)}
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

/** What the leaderboard has counted for a person. */
export interface Found {
  readonly userId: number;
  readonly found: number;
}

export async function setCounted(
  trx: Trx,
  column: 'verifiedCoupons' | 'dealPartners',
  counts: readonly Found[],
): Promise<void> {
  const ids = counts.map(({ userId }) => userId);
  await sql`
    with ${lockedPeople(ids)}
    update users set ${sql.ref(column)} = counted.found
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
