import { type Kysely, sql } from 'kysely';

/** The codes that a coupon has had before an edit, or on its pictures, so that texts about its deals can hide them too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table coupon_earlier_codes (
      coupon_id integer not null references coupons (id) on delete cascade,
      code_hash text not null check (length(code_hash) = 64),
      merchant text not null,
      primary key (coupon_id, code_hash)
    );
    comment on column coupon_earlier_codes.code_hash is 'as coupons.code_hash was, with this merchant'`.execute(
    db,
  );
}
