import { type Kysely, sql } from 'kysely';

/** Public offers from feeds, their pictures, and whether codes worked for those who used them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feeds (
      name text primary key check (length(name) between 1 and 80),
      etag text,
      last_modified text,
      run integer not null default 0,
      fetched_at timestamptz,
      problem text,
      offers integer not null default 0,
      refused integer not null default 0
    );
    comment on column feeds.run is 'counts the readings: an older one ends where a newer one has begun';

    create table feed_offers (
      id integer generated always as identity primary key,
      feed text not null references feeds (name) on delete cascade,
      merchant text not null check (length(merchant) between 1 and 80),
      merchant_key text not null,
      code text not null check (length(code) between 1 and 200),
      identity text not null unique check (length(identity) = 64),
      title text not null check (length(title) between 1 and 120),
      description text not null check (length(description) between 1 and 2000),
      value integer check (value between 1 and 99999999),
      discount_type text check (discount_type in ('fixed', 'percentage')),
      is_value_read boolean not null default false,
      start_date date,
      expiry_date date,
      end_time text,
      last_day_offset smallint not null default 0 check (last_day_offset between -720 and 840),
      regions text[] not null default '{}'
        constraint feed_offers_regions_known check (regions <@ all_regions()),
      terms text check (length(terms) <= 2000),
      source_url text check (length(source_url) <= 2000),
      image_url text check (length(image_url) <= 2000),
      doubt integer not null default 7318,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint feed_offers_value_typed check ((value is null) = (discount_type is null)),
      constraint feed_offers_value_read check (value is not null or not is_value_read),
      constraint feed_offers_percentage_bounded check (discount_type is distinct from 'percentage' or value <= 10000),
      constraint feed_offers_end_time_written
        check (end_time is null or (expiry_date is not null and end_time ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)?$'))
    );
    comment on column feed_offers.identity is 'keyed hash of merchant and normalised code';
    comment on column feed_offers.is_value_read is 'the value is read from the title: the feed has none of its own';
    comment on column feed_offers.end_time is 'ISO 8601, without a zone where the feed names none';
    comment on column feed_offers.regions is 'ISO 3166-1 alpha-2, sorted; empty: anywhere';
    comment on column feed_offers.doubt is 'a copy of offer_scores.doubt, for the order';
    create index feed_offers_merchant on feed_offers (merchant_key, id);
    create index feed_offers_feed on feed_offers (feed, id);
    create index feed_offers_expiry on feed_offers (expiry_date) where expiry_date is not null;
    -- A merchant's offers have few sets of regions: each is one range of the index.
    create index feed_offers_score on feed_offers (merchant_key, regions, doubt, id);

    -- Counted here, so that a list of merchants need not count a million offers.
    create table feed_merchants (
      key text primary key,
      name text not null,
      search_text text not null generated always as (fold_text(name)) stored,
      offers integer not null check (offers > 0)
    );
    create index feed_merchants_search on feed_merchants using gin (search_text gin_trgm_ops);

    create table feed_picture_fetches (
      url text primary key,
      host text not null,
      tries integer not null default 0,
      due_at timestamptz,
      asked_at timestamptz not null,
      removed_at timestamptz
    );
    comment on table feed_picture_fetches is 'pictures that imported coupons wait for, or that were removed';
    comment on column feed_picture_fetches.due_at is 'when it is tried next; null: given up';
    comment on column feed_picture_fetches.asked_at is 'when a coupon last began to wait for it';
    comment on column feed_picture_fetches.removed_at is 'when a moderator removed it: it is never fetched again';
    create index feed_picture_fetches_due on feed_picture_fetches (due_at) where due_at is not null;

    create table feed_picture_waits (
      coupon_id integer primary key references coupons (id),
      url text not null references feed_picture_fetches (url)
    );
    create index feed_picture_waits_url on feed_picture_waits using hash (url)`.execute(db);

  await sql`
    create table code_feedback (
      id integer generated always as identity primary key,
      code_hash text not null check (length(code_hash) = 64),
      user_id integer not null references users (id),
      coupon_id integer references coupons (id) on delete cascade,
      worked boolean not null,
      given_at timestamptz(3) not null
    );
    comment on column code_feedback.coupon_id is 'null: about a public offer, which may come and go with its feed';
    -- A coupon and a public offer are counted apart: equal numbers would tell that they have one code.
    create unique index code_feedback_once on code_feedback (code_hash, user_id, (coalesce(coupon_id, 0)));
    create index code_feedback_recent on code_feedback (code_hash, given_at) include (worked) where coupon_id is null;
    create index code_feedback_worked on code_feedback (code_hash, given_at) where coupon_id is null and worked;
    create index code_feedback_coupon on code_feedback (coupon_id) where coupon_id is not null;
    create index code_feedback_user on code_feedback (user_id);

    -- Counted here, so that a list of offers need not count.
    create table offer_scores (
      code_hash text primary key,
      worked integer not null default 0 check (worked >= 0),
      failed integer not null default 0 check (failed >= 0),
      last_worked_at timestamptz(3),
      doubt integer not null default 7318 check (doubt between 0 and 10000),
      lapses_at timestamptz
    );
    comment on table offer_scores is 'what people said about public codes in the last 30 days';
    comment on column offer_scores.doubt is
      '10,000 less the lower bound of the share that worked: the order of offers';
    comment on column offer_scores.lapses_at is 'when the oldest counted answer is 30 days old';
    create index offer_scores_lapse on offer_scores (lapses_at) where lapses_at is not null`.execute(db);
}
