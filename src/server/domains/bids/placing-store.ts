import { type Insertable, sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { hasCode as hasCodeOf } from '../coupon-summary.ts';
import type { PastBids } from './rules.ts';

/** Whether a coupon has a code to hand over. Lock the coupon first. */
export async function hasCode(trx: Trx, couponId: number): Promise<boolean> {
  const { rows } = await sql<{
    hasCode: boolean;
  }>`select ${hasCodeOf(sql`${couponId}`)} as "hasCode"`.execute(trx);
  return rows[0]?.hasCode === true;
}

/** @throws a unique violation of bids_one_pending on a second pending bid by the same person */
export async function insertBid(trx: Trx, values: Insertable<DB['bids']>): Promise<number> {
  const row = await trx.insertInto('bids').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/**
 * A person's earlier bids, as far as they decide whether the asking price accepts the next one. Other bids of the person at asking
 * prices wait until the transaction ends, so that each of many simultaneous bids counts those before it.
 */
export async function findPast(
  trx: Trx,
  { bidderId, couponId }: { bidderId: number; couponId: number },
): Promise<PastBids> {
  // A statement of its own: the next one sees what was stored while it waited.
  await sql`select pg_advisory_xact_lock(hashtext('clipswap bidder'), ${bidderId})`.execute(trx);
  const { rows } = await sql<PastBids>`select
    (select count(*)::integer from bids where bidder_id = ${bidderId} and status = 'accepted') as unpaid,
    exists (select from bids where bidder_id = ${bidderId} and coupon_id = ${couponId}
      and reason = 'deadline' and accepted_at is not null) as has_lapsed`.execute(trx);
  const [past] = rows;
  if (!past) throw new Error('No answer about the past bids');
  return past;
}
