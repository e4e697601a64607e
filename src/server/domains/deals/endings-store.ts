import { sql } from 'kysely';
import { decimalToCents } from '#contract/money.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { EndedBid, EndedExchange, RuleReason } from './rules.ts';

type Open = 'pending' | 'accepted';

/** Locks the pending exchanges on these coupons, in id order. */
export async function lockPendingExchanges(trx: Trx, couponIds: readonly number[]): Promise<number[]> {
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

/** Locks the pending bids on these coupons, in id order. */
export async function lockPendingBids(trx: Trx, couponIds: readonly number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('bids')
    .select('id')
    .where('status', '=', 'pending')
    .where('couponId', 'in', [...couponIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Cancels the exchanges that are still in the state `from`.
 * @param causeIds the coupons that caused it, named in the notice
 */
export async function cancelExchanges(
  trx: Trx,
  given: {
    ids: readonly number[];
    from: Open;
    reason: RuleReason;
    at: Date;
    causeIds: readonly number[];
  },
): Promise<EndedExchange[]> {
  if (given.ids.length === 0) return [];
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
    kind: 'exchange',
    from: given.from,
    causeTitle: given.causeIds.includes(requestedCouponId)
      ? deal.requestedTitle
      : given.causeIds.includes(offeredCouponId)
        ? deal.offeredTitle
        : null,
  }));
}

/** Ends the bids that are still in the state `from`. */
export async function endBids(
  trx: Trx,
  given: {
    ids: readonly number[];
    from: Open;
    to: 'rejected' | 'cancelled';
    reason: RuleReason;
    at: Date;
  },
): Promise<EndedBid[]> {
  if (given.ids.length === 0) return [];
  const rows = await trx
    .updateTable('bids')
    .from('users as bidder')
    .from('users as owner')
    .from('coupons')
    .set({ status: given.to, reason: given.reason, updatedAt: given.at })
    .where('bids.id', '=', sql<number>`any(${[...given.ids]}::integer[])`)
    .where('bids.status', '=', given.from)
    .whereRef('bidder.id', '=', 'bids.bidderId')
    .whereRef('owner.id', '=', 'bids.ownerId')
    .whereRef('coupons.id', '=', 'bids.couponId')
    .returning(['bids.id', 'bids.bidderId', 'bids.ownerId', 'bids.amount'])
    .returning(['bidder.username as bidderUsername', 'owner.username as ownerUsername'])
    .returning('coupons.title as couponTitle')
    .execute();
  return rows.map(({ amount, ...deal }) => ({
    ...deal,
    kind: 'bid',
    from: given.from,
    amount: decimalToCents(amount),
  }));
}

export interface OpenDeal {
  readonly kind: 'exchange' | 'bid';
  readonly id: number;
  readonly couponIds: readonly number[];
}

/** The buyer has paid, and the provider has not confirmed it yet. */
const IS_BEING_PAID = sql<boolean>`exists (
  select from payment_transactions where payment_transactions.bid_id = bids.id and status = 'processing')`;

export async function listOpenDeals(db: Database | Trx, userId: number, limit: number): Promise<OpenDeal[]> {
  const found = await sql<OpenDeal>`
    (select 'exchange' as kind, id, array[requested_coupon_id, offered_coupon_id] as coupon_ids
      from exchanges where requester_id = ${userId} and status in ('pending', 'accepted') limit ${limit})
    union all
    (select 'exchange', id, array[requested_coupon_id, offered_coupon_id]
      from exchanges where owner_id = ${userId} and status in ('pending', 'accepted') limit ${limit})
    union all
    (select 'bid', id, array[coupon_id] from bids
      where bidder_id = ${userId} and status in ('pending', 'accepted') and not ${IS_BEING_PAID} limit ${limit})
    union all
    (select 'bid', id, array[coupon_id] from bids
      where owner_id = ${userId} and status in ('pending', 'accepted') and not ${IS_BEING_PAID} limit ${limit})
    limit ${limit}`.execute(db);
  return found.rows;
}

/** Locks the exchanges that are still open, in id order. Lock their coupons first. */
export async function lockOpenExchanges(trx: Trx, ids: readonly number[]) {
  return trx
    .selectFrom('exchanges')
    .select(['id', 'status', 'requestedCouponId', 'offeredCouponId'])
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where('status', 'in', ['pending', 'accepted'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks the bids that are still open and not being paid. Payments only move while their coupon is locked. */
export async function lockOpenBids(trx: Trx, ids: readonly number[]) {
  return trx
    .selectFrom('bids')
    .select(['id', 'status'])
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where('status', 'in', ['pending', 'accepted'])
    .where(({ not }) => not(IS_BEING_PAID))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** An exchange whose time was up when it was found. */
export interface DueExchange {
  readonly id: number;
  readonly from: Open;
  readonly reason: 'deadline' | 'coupon_expired';
  readonly requestedCouponId: number;
  readonly offeredCouponId: number;
}

/** Up to `limit` per reason, oldest first: past a deadline, or pending on an expired coupon. */
export async function listDueExchanges(
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

/** A pending bid whose time was up when it was found. */
export interface DueBid {
  readonly id: number;
  readonly couponId: number;
  readonly reason: 'deadline' | 'coupon_expired';
}

/** Like listDueExchanges, for pending bids. Payments end the accepted bids that nobody pays. */
export async function listDueBids(
  db: Database,
  given: { pendingBefore: Date; today: string; limit: number },
): Promise<DueBid[]> {
  const { pendingBefore, today, limit } = given;
  const found = await sql<DueBid>`
    (select id, coupon_id, 'deadline' as reason
      from bids where status = 'pending' and created_at <= ${pendingBefore} order by created_at limit ${limit})
    union all
    (select id, coupon_id, 'coupon_expired'
      from bids where status = 'pending' and created_at > ${pendingBefore} and exists (
        select from coupons where coupons.id = bids.coupon_id and coupons.expiry_date < ${today})
      order by created_at limit ${limit})`.execute(db);
  return found.rows;
}

/** Locks an exchange and returns its current coupons; undefined if it has left the state `from`. */
export async function lockExchange(
  trx: Trx,
  id: number,
  from: Open,
): Promise<{ requestedCouponId: number; offeredCouponId: number } | undefined> {
  return trx
    .selectFrom('exchanges')
    .select(['requestedCouponId', 'offeredCouponId'])
    .where('id', '=', id)
    .where('status', '=', from)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
