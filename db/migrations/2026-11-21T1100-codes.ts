import { type Kysely, sql } from 'kysely';

/** Pictures of codes, verdicts on them, saved coupons, and the reminders of their last days. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
    )`.execute(db);
  await sql`comment on column images.uploader_id is 'null: somebody who was not signed in'`.execute(db);
  await sql`comment on column images.codes is 'the codes found in it, sealed'`.execute(db);
  // A coupon has one picture of each kind.
  await sql`create unique index images_coupon_kind on images (coupon_id, kind) where coupon_id is not null`.execute(
    db,
  );
  await sql`create index images_uploader on images (uploader_id)`.execute(db);
  await sql`create index images_loose on images (created_at) where coupon_id is null`.execute(db);

  await sql`
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
    )`.execute(db);
  await sql`comment on column validations.code_hash is 'keyed hash of merchant and normalised code'`.execute(
    db,
  );
  await sql`comment on column validations.disclaimer is 'what the person confirmed before asking'`.execute(
    db,
  );
  await sql`create index validations_code on validations (code_hash, user_id, id desc)`.execute(db);
  await sql`create index validations_coupon on validations (coupon_id, id desc)`.execute(db);
  await sql`create index validations_user on validations (user_id)`.execute(db);
  await sql`create index validations_created on validations (created_at)`.execute(db);

  await sql`
    create table saved_coupons (
      user_id integer not null references users (id),
      coupon_id integer not null references coupons (id) on delete cascade,
      created_at timestamptz(3) not null,
      primary key (user_id, coupon_id)
    )`.execute(db);
  await sql`create index saved_coupons_newest on saved_coupons (user_id, created_at desc, coupon_id desc)`.execute(
    db,
  );
  await sql`create index saved_coupons_coupon on saved_coupons (coupon_id)`.execute(db);

  await sql`
    create table expiry_reminders (
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      days integer not null check (days in (1, 7)),
      expiry_date date not null,
      created_at timestamptz not null,
      primary key (coupon_id, user_id, days, expiry_date)
    )`.execute(db);
  await sql`create index expiry_reminders_user on expiry_reminders (user_id)`.execute(db);

  // Reminders look for the coupons of one last day, unlisted ones too.
  await sql`create index coupons_last_day on coupons (expiry_date) where deleted_at is null and expiry_date is not null`.execute(
    db,
  );

  // A public code whose worth no feed has stated is stored as 0: nothing is guessed (decisions 2.6).
  await sql`alter table coupons drop constraint coupons_value_check`.execute(db);
  await sql`
    alter table coupons add constraint coupons_value_check
      check (value between 1 and 99999999 or (value = 0 and category in ('imported', 'scraped')))`.execute(
    db,
  );
  // Public codes are for personal use: they are on no list.
  await sql`update coupons set is_active = false where category in ('imported', 'scraped')`.execute(db);
  await sql`
    alter table coupons add constraint coupons_personal_unlisted
      check (not is_active or category not in ('imported', 'scraped'))`.execute(db);
  // Nobody imports the same public code twice.
  await sql`create unique index coupons_imported_once on coupons (owner_id, code_hash)
    where deleted_at is null and category in ('imported', 'scraped')`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index coupons_imported_once, coupons_last_day`.execute(db);
  await sql`alter table coupons drop constraint coupons_personal_unlisted`.execute(db);
  await sql`drop table expiry_reminders, saved_coupons, validations, images`.execute(db);
}
