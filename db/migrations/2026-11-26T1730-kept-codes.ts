import { type Kysely, sql } from 'kysely';

/** The codes that people keep on their devices, and the views of codes that these report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_codes (
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      kept_at timestamptz not null,
      primary key (coupon_id, user_id)
    );
    comment on table kept_codes is 'whose devices were given which code, and when last';
    create index kept_codes_user on kept_codes (user_id);

    alter table coupon_reveals add column reported_at timestamptz,
      add constraint coupon_reveals_reported_later check (reported_at >= revealed_at);
    comment on column coupon_reveals.reported_at is
      'when a device told of a view that it had shown without a network; null: the code was asked for'`.execute(
    db,
  );
}
