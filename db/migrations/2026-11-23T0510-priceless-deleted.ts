import { type Kysely, sql } from 'kysely';

/** A deleted coupon keeps no prices, as it keeps no code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update coupons set asking_price = null, price_floor = null
      where deleted_at is not null and asking_price is not null;
    alter table coupons add constraint coupons_deleted_priceless
      check (deleted_at is null or (asking_price is null and price_floor is null))`.execute(db);
}
