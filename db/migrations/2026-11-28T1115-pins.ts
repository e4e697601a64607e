import { type Kysely, sql } from 'kysely';

/** A PIN that a shop asks for beside the code, as on gift cards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupon_secrets add column pin bytea;
    comment on column coupon_secrets.pin is
      'AES-256-GCM, bound to the coupon id; it belongs to the code, and a new code has none or its own'`.execute(
    db,
  );
}
