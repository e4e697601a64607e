import { type Kysely, sql } from 'kysely';

/** A category in the orders of value: all of its coupons may be cheap, or dear. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index coupons_category_value_high on coupons
      (category, (case when discount_type = 'fixed' then value else -1 end) desc, id desc) where is_active;
    create index coupons_category_value_low on coupons
      (category, (case when discount_type = 'fixed' then -value else -2147483647 end) desc, id desc) where is_active;
    drop index coupons_category_value`.execute(db);
}
