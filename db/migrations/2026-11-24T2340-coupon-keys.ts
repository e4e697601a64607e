import { type Kysely, sql } from 'kysely';

/** Lets a coupon be sent again after a lost answer without being listed twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupons add column client_key uuid;
    comment on column coupons.client_key is 'of who listed it: the same coupon sent twice is one';
    create unique index coupons_client_key on coupons (owner_id, client_key) where client_key is not null`.execute(
    db,
  );
}
