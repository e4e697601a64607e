import { type Kysely, sql } from 'kysely';

/** Whether a coupon's value was read from the title of the public offer that it was imported from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table coupons add column is_value_read boolean not null default false`.execute(db);
}
