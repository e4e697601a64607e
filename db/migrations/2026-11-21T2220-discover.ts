import { type Kysely, sql } from 'kysely';

/** Public offers from feeds, and how far each feed has been read. */
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
      start_date date,
      expiry_date date,
      terms text check (length(terms) <= 2000),
      source_url text check (length(source_url) <= 2000),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint feed_offers_value_typed check ((value is null) = (discount_type is null)),
      constraint feed_offers_percentage_bounded check (discount_type is distinct from 'percentage' or value <= 10000)
    );
    comment on column feed_offers.identity is 'keyed hash of merchant and normalised code';
    create index feed_offers_merchant on feed_offers (merchant_key, id);
    create index feed_offers_feed on feed_offers (feed, id);
    create index feed_offers_expiry on feed_offers (expiry_date) where expiry_date is not null;

    -- Kept, so that a list of merchants need not count a million offers.
    create table feed_merchants (
      key text primary key,
      name text not null,
      offers integer not null check (offers > 0)
    );
    create index feed_merchants_search on feed_merchants using gin (key gin_trgm_ops)`.execute(db);
}
