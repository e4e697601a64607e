import { type Kysely, sql } from 'kysely';

/** Open claims about money reserve their coupons from now on: it goes back only with them. Those in hold are reserved already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into coupon_reservations (coupon_id, bid_id, exchange_id, created_at)
    select coupons.id, claims.bid_id, claims.exchange_id, claims.created_at
    from claims join bids on bids.id = claims.paid_bid_id join coupons on coupons.id = bids.coupon_id
    where claims.status = 'open' and coupons.owner_id = claims.claimant_id
      and coupons.used_at is null and coupons.deleted_at is null
    on conflict do nothing`.execute(db);
}
