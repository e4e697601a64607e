import { type Kysely, sql } from 'kysely';

/** Coupons, the vault of their codes, and who has seen them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table coupons (
      id integer generated always as identity primary key,
      owner_id integer not null references users (id),
      title text not null check (length(title) between 3 and 120),
      description text not null check (length(description) between 10 and 2000),
      value integer not null check (value between 1 and 99999999),
      discount_type text not null default 'fixed' check (discount_type in ('fixed', 'percentage')),
      merchant text not null check (length(merchant) between 2 and 80),
      category text not null check (category in
        ('food', 'retail', 'entertainment', 'travel', 'services', 'other', 'imported', 'verified', 'scraped')),
      expiry_date date,
      has_no_expiry boolean not null default false,
      terms text check (length(terms) <= 2000),
      source_url text check (length(source_url) <= 2000),
      is_verified boolean not null default false,
      is_active boolean not null default true,
      code_hash text check (length(code_hash) = 64),
      deleted_at timestamptz,
      created_at timestamptz(3) not null,
      updated_at timestamptz not null,
      search_text text not null generated always as (lower(title || ' ' || merchant || ' ' || description)) stored,
      expires_at timestamptz generated always as
        (((expiry_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC') stored,
      constraint coupons_percentage_bounded check (discount_type = 'fixed' or value <= 10000),
      constraint coupons_expiry_stated check (has_no_expiry = (expiry_date is null)),
      constraint coupons_deleted_inactive check (deleted_at is null or not is_active)
    )`.execute(db);
  // The cursor of a list carries the time, which the program knows in milliseconds.
  await sql`comment on column coupons.created_at is 'to the millisecond, as cursors carry it'`.execute(db);
  await sql`comment on column coupons.code_hash is 'keyed hash of merchant and normalised code'`.execute(db);

  // The same code cannot be listed twice, by anybody; public codes are exempt (decisions 2.5).
  await sql`create unique index coupons_code_key on coupons (code_hash)
    where is_active and category not in ('imported', 'scraped')`.execute(db);

  // Every order and filter of the listing, so that a page costs the same at a million rows. Where the key and the
  // id run the same way, a cursor's row comparison is one range of the index, ties included.
  await sql`create index coupons_newest on coupons (created_at desc, id desc) include (expiry_date) where is_active`.execute(
    db,
  );
  await sql`create index coupons_category_newest on coupons (category, created_at desc, id desc) include (expiry_date)
    where is_active`.execute(db);
  await sql`create index coupons_expiry on coupons ((coalesce(expiry_date, 'infinity'::date)), id) where is_active`.execute(
    db,
  );
  await sql`create index coupons_category_expiry on coupons
    (category, (coalesce(expiry_date, 'infinity'::date)), id) where is_active`.execute(db);
  // Percentages take no part in the order of money: they come last in both directions (decisions 1.4).
  await sql`create index coupons_value_high on coupons
    ((case when discount_type = 'fixed' then value else -1 end) desc, id desc) where is_active`.execute(db);
  await sql`create index coupons_value_low on coupons
    ((case when discount_type = 'fixed' then -value else -2147483647 end) desc, id desc) where is_active`.execute(
    db,
  );
  await sql`create index coupons_owner_newest on coupons (owner_id, created_at desc, id desc) where deleted_at is null`.execute(
    db,
  );
  await sql`create index coupons_search on coupons using gin (search_text gin_trgm_ops) with (fastupdate = off) where is_active`.execute(
    db,
  );
  await sql`create index coupons_merchant on coupons using gin (lower(merchant) gin_trgm_ops) with (fastupdate = off) where is_active`.execute(
    db,
  );

  // What the planner has to know to choose among them: of a partial index's expressions it uses no statistics.
  await sql`alter table coupons alter column search_text set statistics 1000`.execute(db);
  await sql`create statistics coupons_last_day on (coalesce(expiry_date, 'infinity'::date)) from coupons`.execute(
    db,
  );
  await sql`create statistics coupons_high_rank on
    (case when discount_type = 'fixed' then value else -1 end) from coupons`.execute(db);
  await sql`create statistics coupons_low_rank on
    (case when discount_type = 'fixed' then -value else -2147483647 end) from coupons`.execute(db);
  await sql`create statistics coupons_merchant_name on (lower(merchant)) from coupons`.execute(db);
  await sql`alter statistics coupons_merchant_name set statistics 1000`.execute(db);

  // Apart from the coupon, so that no query of coupons can carry a code by accident.
  await sql`
    create table coupon_secrets (
      coupon_id integer primary key references coupons (id) on delete cascade,
      code bytea not null
    )`.execute(db);
  await sql`comment on column coupon_secrets.code is 'AES-256-GCM, bound to the coupon id'`.execute(db);

  await sql`
    create table coupon_reveals (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      revealed_at timestamptz not null
    )`.execute(db);
  await sql`create index coupon_reveals_coupon on coupon_reveals (coupon_id, id desc)`.execute(db);
  await sql`create index coupon_reveals_user on coupon_reveals (user_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table coupon_reveals, coupon_secrets, coupons`.execute(db);
}
