import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupon_secrets add column is_drawable boolean not null default true;
    comment on column coupon_secrets.is_drawable is
      'false: its symbol holds other bytes than the text, so that only a picture of it can be shown'`.execute(
    db,
  );
}
