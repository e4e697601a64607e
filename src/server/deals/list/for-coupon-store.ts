import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

interface ForCoupon {
  readonly ownerId: number;
  readonly bidId: number | null;
  readonly exchangeId: number | null;
}

/** The owner of a listed coupon, and a person's latest open bid and exchange that would bring it to them. */
export async function findForCoupon(
  db: Database,
  { couponId, userId }: { couponId: number; userId: number },
): Promise<ForCoupon | undefined> {
  const { rows } = await sql<ForCoupon>`
    select owner_id,
      (select id from bids where bids.coupon_id = coupons.id and bidder_id = ${userId} and exchange_id is null
        and status in ('pending', 'accepted') order by id desc limit 1) as bid_id,
      (select exchange_id from exchange_legs as leg where leg.coupon_id = coupons.id and receiver_id = ${userId}
        and status in ('pending', 'accepted') order by exchange_id desc limit 1) as exchange_id
    from coupons where id = ${couponId} and is_active`.execute(db);
  return rows[0];
}
