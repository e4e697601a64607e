import { type Kysely, sql } from 'kysely';

/** Coupons, the vault of their codes, and what people do with them outside deals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table coupons (
      id integer generated always as identity primary key,
      owner_id integer not null references users (id),
      title text not null check (length(title) between 3 and 120),
      description text not null check (length(description) between 10 and 2000),
      value integer not null,
      discount_type text not null default 'fixed' check (discount_type in ('fixed', 'percentage')),
      merchant text not null check (length(merchant) between 2 and 80),
      category text not null check (category in
        ('food', 'retail', 'entertainment', 'travel', 'services', 'other', 'imported', 'verified', 'scraped')),
      expiry_date date,
      has_no_expiry boolean not null default false,
      terms text check (length(terms) <= 2000),
      source_url text check (length(source_url) <= 2000),
      code_hash text check (length(code_hash) = 64),
      is_verified boolean not null default false,
      is_active boolean not null default true,
      -- What a ban has taken off the lists, so that its end can put it back.
      is_hidden_by_ban boolean not null default false,
      deleted_at timestamptz,
      created_at timestamptz(3) not null,
      updated_at timestamptz not null,
      search_text text not null generated always as (lower(title || ' ' || merchant || ' ' || description)) stored,
      expires_at timestamptz generated always as
        (((expiry_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC') stored,
      -- 0 is a public code whose worth no feed has stated (decisions 2.6).
      constraint coupons_value_check
        check (value between 1 and 99999999 or (value = 0 and category in ('imported', 'scraped'))),
      constraint coupons_percentage_bounded check (discount_type = 'fixed' or value <= 10000),
      constraint coupons_expiry_stated check (has_no_expiry = (expiry_date is null)),
      constraint coupons_deleted_inactive check (deleted_at is null or not is_active),
      constraint coupons_hidden_inactive check (not (is_hidden_by_ban and is_active)),
      -- Public codes are for personal use: they are on no list.
      constraint coupons_personal_unlisted check (not is_active or category not in ('imported', 'scraped'))
    );
    comment on column coupons.created_at is 'to the millisecond, as cursors carry it';
    comment on column coupons.code_hash is 'keyed hash of merchant and normalised code';

    -- The same code cannot be listed twice, by anybody; public codes are exempt (decisions 2.5).
    create unique index coupons_code_key on coupons (code_hash)
      where is_active and category not in ('imported', 'scraped');
    -- Nobody imports the same public code twice.
    create unique index coupons_imported_once on coupons (owner_id, code_hash)
      where deleted_at is null and category in ('imported', 'scraped')`.execute(db);

  // One index for every order and filter of the list, so that a page costs the same at a million rows. The key and
  // the id run the same way: a cursor's row comparison is one range of the index, ties included.
  await sql`
    create index coupons_newest on coupons (created_at desc, id desc) include (expiry_date) where is_active;
    create index coupons_category_newest on coupons (category, created_at desc, id desc) include (expiry_date)
      where is_active;
    create index coupons_expiry on coupons ((coalesce(expiry_date, 'infinity'::date)), id) where is_active;
    create index coupons_category_expiry on coupons
      (category, (coalesce(expiry_date, 'infinity'::date)), id) where is_active;
    -- Percentages take no part in the order of money: they come last in both directions (decisions 1.4).
    create index coupons_value_high on coupons
      ((case when discount_type = 'fixed' then value else -1 end) desc, id desc) where is_active;
    create index coupons_value_low on coupons
      ((case when discount_type = 'fixed' then -value else -2147483647 end) desc, id desc) where is_active;
    create index coupons_search on coupons using gin (search_text gin_trgm_ops) with (fastupdate = off)
      where is_active;
    create index coupons_merchant on coupons using gin (lower(merchant) gin_trgm_ops) with (fastupdate = off)
      where is_active;
    create index coupons_owner_newest on coupons (owner_id, created_at desc, id desc) where deleted_at is null;
    create index coupons_owner_listed on coupons (owner_id, id) where is_active;
    create index coupons_hidden_by_ban on coupons (owner_id) where is_hidden_by_ban;
    -- Reminders look for the coupons of one last day, unlisted ones too.
    create index coupons_last_day on coupons (expiry_date) where deleted_at is null and expiry_date is not null;
    -- The sitemap wants the last change in each part of 50,000 ids.
    create index coupons_sitemap on coupons (((id - 1) / 50000), updated_at) where is_active;

    -- The planner does not use the statistics of a partial index's expressions: it gets its own.
    alter table coupons alter column search_text set statistics 1000;
    create statistics coupons_last_day on (coalesce(expiry_date, 'infinity'::date)) from coupons;
    create statistics coupons_high_rank on
      (case when discount_type = 'fixed' then value else -1 end) from coupons;
    create statistics coupons_low_rank on
      (case when discount_type = 'fixed' then -value else -2147483647 end) from coupons;
    create statistics coupons_merchant_name on (lower(merchant)) from coupons;
    alter statistics coupons_merchant_name set statistics 1000`.execute(db);

  // A coupon listed or bought in the moment of its owner's ban is hidden, too. 'for key share' waits for a ban that
  // is being written (its lock is 'for update') and for nothing else: a foreign key takes the same lock.
  await sql`
    create function hide_coupons_of_barred() returns trigger language plpgsql as $$
    declare
      is_barred boolean;
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        new.is_hidden_by_ban := false;
      end if;
      if new.is_active then
        -- Locked whatever the status: one that is about to change is waited for.
        select status = 'banned' or deleted_at is not null into is_barred
          from users where id = new.owner_id for key share;
        new.is_hidden_by_ban := coalesce(is_barred, false);
        new.is_active := not new.is_hidden_by_ban;
      end if;
      return new;
    end $$;
    create trigger coupons_of_barred before insert or update of is_active, owner_id on coupons
      for each row execute function hide_coupons_of_barred()`.execute(db);

  // Apart from the coupon, so that no query of coupons can carry a code by accident.
  await sql`
    create table coupon_secrets (
      coupon_id integer primary key references coupons (id) on delete cascade,
      code bytea not null
    );
    comment on column coupon_secrets.code is 'AES-256-GCM, bound to the coupon id';

    create table coupon_reveals (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      revealed_at timestamptz not null
    );
    create index coupon_reveals_coupon on coupon_reveals (coupon_id, id desc);
    create index coupon_reveals_user on coupon_reveals (user_id)`.execute(db);

  await sql`
    create table images (
      id text primary key check (id ~ '^[A-Za-z0-9_-]{22}$'),
      uploader_id integer references users (id),
      kind text not null check (kind in ('qrcode', 'barcode')),
      coupon_id integer references coupons (id) on delete cascade,
      content_type text not null check (content_type in ('image/webp', 'image/png')),
      width integer not null check (width > 0),
      height integer not null check (height > 0),
      codes bytea not null,
      created_at timestamptz not null,
      discarded_at timestamptz,
      constraint images_discarded_alone check (discarded_at is null or coupon_id is null)
    );
    comment on column images.uploader_id is 'null: somebody who was not signed in';
    comment on column images.codes is 'the codes found in it, sealed';
    -- A coupon has one picture of each kind.
    create unique index images_coupon_kind on images (coupon_id, kind) where coupon_id is not null;
    create index images_uploader on images (uploader_id);
    create index images_loose on images (created_at) where coupon_id is null;

    create table validations (
      id integer generated always as identity primary key,
      user_id integer references users (id),
      coupon_id integer references coupons (id) on delete cascade,
      code_hash text not null check (length(code_hash) = 64),
      source text not null,
      validated_with text not null,
      is_valid boolean not null,
      is_confirmed boolean not null,
      verdict jsonb not null,
      disclaimer text check (length(disclaimer) <= 2000),
      created_at timestamptz not null,
      constraint validations_confirmed_valid check (is_valid or not is_confirmed)
    );
    comment on column validations.code_hash is 'keyed hash of merchant and normalised code';
    comment on column validations.disclaimer is 'what the person confirmed before asking';
    create index validations_code on validations (code_hash, user_id, id desc);
    create index validations_coupon on validations (coupon_id, id desc);
    create index validations_user on validations (user_id);
    create index validations_created on validations (created_at)`.execute(db);

  await sql`
    create table saved_coupons (
      user_id integer not null references users (id),
      coupon_id integer not null references coupons (id) on delete cascade,
      created_at timestamptz(3) not null,
      primary key (user_id, coupon_id)
    );
    create index saved_coupons_newest on saved_coupons (user_id, created_at desc, coupon_id desc);
    create index saved_coupons_coupon on saved_coupons (coupon_id);

    create table expiry_reminders (
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      days integer not null check (days in (1, 7)),
      expiry_date date not null,
      created_at timestamptz not null,
      primary key (coupon_id, user_id, days, expiry_date)
    );
    create index expiry_reminders_user on expiry_reminders (user_id)`.execute(db);
}
