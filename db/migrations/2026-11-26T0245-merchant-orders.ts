import { type Kysely, sql } from 'kysely';

/**
 * The coupons of one merchant by value and by expiry. These are three indexes more for each write of a listed coupon,
 * which makes 3 % more records of the log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index coupons_merchant_expiry on coupons
      (merchant_text, (coalesce(expires_at, 'infinity'::timestamptz)), id) where is_active;
    create index coupons_merchant_value_high on coupons
      (merchant_text, (case when discount_type = 'fixed' then value else -1 end) desc, id desc) where is_active;
    create index coupons_merchant_value_low on coupons
      (merchant_text, (case when discount_type = 'fixed' then -value else -2147483647 end) desc, id desc)
      where is_active`.execute(db);
}
