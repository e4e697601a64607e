import { type Kysely, sql } from 'kysely';

/**
 * A coupon's last day ends when it ends in the last time zone of its regions. Existing ones end as before, with the day
 * in UTC. Lists, filters and orders go by the instant instead of the day. Offers of
 * feeds likewise.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupons
      drop column expires_at,
      add column time_zone text check (length(time_zone) <= 64),
      add column last_day_offset smallint not null default 0 check (last_day_offset between -720 and 840);
    alter table coupons add column expires_at timestamptz generated always as (((expiry_date + 1)::timestamp
      - interval '1 millisecond' - last_day_offset * interval '1 minute') at time zone 'UTC') stored;
    comment on column coupons.time_zone is 'of its owner at listing; null: not known';
    comment on column coupons.last_day_offset is 'minutes ahead of UTC where its last day ends last';

    alter table feed_offers
      add column last_day_offset smallint not null default 0 check (last_day_offset between -720 and 840);

    drop index coupons_newest, coupons_category_newest, coupons_expiry, coupons_category_expiry,
      coupons_merchant_newest;
    drop statistics coupons_last_day;
    create index coupons_newest on coupons (created_at desc, id desc) include (expires_at) where is_active;
    create index coupons_category_newest on coupons (category, created_at desc, id desc) include (expires_at)
      where is_active;
    create index coupons_merchant_newest on coupons (merchant_text, created_at desc, id desc) include (expires_at)
      where is_active;
    create index coupons_expiry on coupons ((coalesce(expires_at, 'infinity'::timestamptz)), id) where is_active;
    create index coupons_category_expiry on coupons
      (category, (coalesce(expires_at, 'infinity'::timestamptz)), id) where is_active;
    create statistics coupons_end on (coalesce(expires_at, 'infinity'::timestamptz)) from coupons`.execute(
    db,
  );
}
