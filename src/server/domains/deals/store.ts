import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { EndedDeal, RuleReason } from './rules.ts';

/** A coupon as it stands while its lock is held. */
export interface LockedCoupon {
  readonly id: number;
  readonly ownerId: number;
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  /** Its last valid day, `YYYY-MM-DD`; null when it never expires. */
  readonly expiryDate: string | null;
  /** Whether an accepted deal holds it. */
  readonly isReserved: boolean;
}

/**
 * `no key update`: as strong as `update` among those who change coupons, but history lines that merely mention a
 * coupon (foreign keys) need not wait for it.
 */
export async function lockCoupons(trx: Trx, ids: readonly number[]): Promise<LockedCoupon[]> {
  const coupons = await trx
    .selectFrom('coupons')
    .select(['id', 'ownerId', 'title', 'isActive', 'deletedAt', 'category', 'expiryDate'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  // After the lock, in a statement of its own: it sees what the lock's last holder has committed.
  const reservations = await trx
    .selectFrom('couponReservations')
    .select('couponId')
    .where('couponId', 'in', [...ids])
    .execute();
  const reserved = new Set(reservations.map(({ couponId }) => couponId));
  return coupons.map((coupon) => ({ ...coupon, isReserved: reserved.has(coupon.id) }));
}

/** Fails with a unique violation of coupon_reservations_pkey when another deal holds one of them. */
export async function insertReservations(
  trx: Trx,
  exchangeId: number,
  couponIds: readonly number[],
  at: Date,
): Promise<void> {
  const rows = [...couponIds]
    .sort((a, b) => a - b)
    .map((couponId) => ({ couponId, exchangeId, createdAt: at }));
  await trx.insertInto('couponReservations').values(rows).execute();
}

export async function deleteReservations(trx: Trx, exchangeId: number): Promise<void> {
  await trx.deleteFrom('couponReservations').where('exchangeId', '=', exchangeId).execute();
}

/** One coupon changing hands. */
export interface CouponMove {
  readonly couponId: number;
  readonly fromUserId: number;
  readonly toUserId: number;
}

/** Compare-and-set: false when the coupon is not the giver's. */
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
  exchangeId: number,
  moves: readonly CouponMove[],
  at: Date,
): Promise<void> {
  const rows = moves.map((move) => ({ ...move, exchangeId, createdAt: at }));
  await trx.insertInto('couponTransfers').values(rows).execute();
}

/** Records that the new owners see the codes; a coupon without a code has nothing to see. */
export async function insertReveals(trx: Trx, moves: readonly CouponMove[], at: Date): Promise<void> {
  const withCode = await trx
    .selectFrom('couponSecrets')
    .select('couponId')
    .where(
      'couponId',
      'in',
      moves.map(({ couponId }) => couponId),
    )
    .execute();
  const hasCode = new Set(withCode.map(({ couponId }) => couponId));
  const rows = moves
    .filter(({ couponId }) => hasCode.has(couponId))
    .map(({ couponId, toUserId }) => ({ couponId, userId: toUserId, revealedAt: at }));
  if (rows.length > 0) await trx.insertInto('couponReveals').values(rows).execute();
}

/** In id order: two exchanges of the same two people must not lock them crosswise. */
export async function addSuccessfulExchange(trx: Trx, userIds: readonly number[]): Promise<void> {
  const people = trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...userIds])
    .orderBy('id')
    .forNoKeyUpdate();
  await people.execute();
  await trx
    .updateTable('users')
    .set({ successfulExchanges: sql`successful_exchanges + 1` })
    .where('id', 'in', [...userIds])
    .execute();
}

/** Locks the pending exchanges on these coupons, in id order. */
export async function lockPendingOn(trx: Trx, couponIds: readonly number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('exchanges')
    .select('id')
    .where('status', '=', 'pending')
    .where((where) =>
      where.or([
        where('requestedCouponId', 'in', [...couponIds]),
        where('offeredCouponId', 'in', [...couponIds]),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Cancels those that are still in the state `from`.
 * @param causeIds the coupons that bring the end about, for the telling
 */
export async function cancelExchanges(
  trx: Trx,
  given: {
    ids: readonly number[];
    from: 'pending' | 'accepted';
    reason: RuleReason;
    at: Date;
    causeIds: readonly number[];
  },
): Promise<EndedDeal[]> {
  const rows = await trx
    .updateTable('exchanges')
    .from('users as requester')
    .from('users as owner')
    .from('coupons as requested')
    .from('coupons as offered')
    .set({ status: 'cancelled', reason: given.reason, updatedAt: given.at })
    .where('exchanges.id', '=', sql<number>`any(${[...given.ids]}::integer[])`)
    .where('exchanges.status', '=', given.from)
    .whereRef('requester.id', '=', 'exchanges.requesterId')
    .whereRef('owner.id', '=', 'exchanges.ownerId')
    .whereRef('requested.id', '=', 'exchanges.requestedCouponId')
    .whereRef('offered.id', '=', 'exchanges.offeredCouponId')
    .returning(['exchanges.id', 'exchanges.requesterId', 'exchanges.ownerId'])
    .returning(['requester.username as requesterUsername', 'owner.username as ownerUsername'])
    .returning(['requested.title as requestedTitle', 'offered.title as offeredTitle'])
    .returning(['exchanges.requestedCouponId', 'exchanges.offeredCouponId'])
    .execute();
  return rows.map(({ requestedCouponId, offeredCouponId, ...deal }) => ({
    ...deal,
    from: given.from,
    causeTitle: given.causeIds.includes(requestedCouponId)
      ? deal.requestedTitle
      : given.causeIds.includes(offeredCouponId)
        ? deal.offeredTitle
        : null,
  }));
}

/** An exchange whose time is up, as it stood when it was found. */
export interface DueExchange {
  readonly id: number;
  readonly from: 'pending' | 'accepted';
  readonly reason: 'deadline' | 'coupon_expired';
  readonly requestedCouponId: number;
  readonly offeredCouponId: number;
}

/** Up to `limit` of each kind, the oldest first: past a deadline, or pending on a coupon that has expired. */
export async function listDue(
  db: Database,
  given: { pendingBefore: Date; acceptedBefore: Date; today: string; limit: number },
): Promise<DueExchange[]> {
  const { pendingBefore, acceptedBefore, today, limit } = given;
  const found = await sql<DueExchange>`
    (select id, status as "from", 'deadline' as reason, requested_coupon_id, offered_coupon_id
      from exchanges where status = 'pending' and created_at <= ${pendingBefore} order by created_at limit ${limit})
    union all
    (select id, status, 'deadline', requested_coupon_id, offered_coupon_id
      from exchanges where status = 'accepted' and accepted_at <= ${acceptedBefore} order by accepted_at limit ${limit})
    union all
    (select id, status, 'coupon_expired', requested_coupon_id, offered_coupon_id
      from exchanges where status = 'pending' and created_at > ${pendingBefore} and exists (
        select from coupons
        where coupons.id in (exchanges.requested_coupon_id, exchanges.offered_coupon_id)
          and coupons.expiry_date < ${today})
      order by created_at limit ${limit})`.execute(db);
  return found.rows;
}

/** The coupons that an exchange names now; undefined when it has left the state `from`. */
export async function lockExchange(
  trx: Trx,
  id: number,
  from: 'pending' | 'accepted',
): Promise<{ requestedCouponId: number; offeredCouponId: number } | undefined> {
  return trx
    .selectFrom('exchanges')
    .select(['requestedCouponId', 'offeredCouponId'])
    .where('id', '=', id)
    .where('status', '=', from)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
