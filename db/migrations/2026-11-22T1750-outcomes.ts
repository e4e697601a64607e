import { type Kysely, sql } from 'kysely';

/** Whether codes worked for those who used them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table code_outcomes (
      id integer generated always as identity primary key,
      code_hash text not null check (length(code_hash) = 64),
      user_id integer not null references users (id),
      coupon_id integer references coupons (id) on delete cascade,
      worked boolean not null,
      told_at timestamptz(3) not null
    );
    comment on column code_outcomes.coupon_id is 'null: of a public offer, which may come and go with its feed';
    -- Apart from each other: equal numbers of a coupon and of a public offer would tell that they have one code.
    create unique index code_outcomes_once on code_outcomes (code_hash, user_id, (coalesce(coupon_id, 0)));
    create index code_outcomes_recent on code_outcomes (code_hash, told_at) include (worked) where coupon_id is null;
    create index code_outcomes_worked on code_outcomes (code_hash, told_at) where coupon_id is null and worked;
    create index code_outcomes_coupon on code_outcomes (coupon_id) where coupon_id is not null;
    create index code_outcomes_user on code_outcomes (user_id);

    -- Counted, so that a list of offers need not count.
    create table offer_standings (
      code_hash text primary key,
      worked integer not null default 0 check (worked >= 0),
      failed integer not null default 0 check (failed >= 0),
      last_worked_at timestamptz(3),
      doubt integer not null default 7318 check (doubt between 0 and 10000),
      lapses_at timestamptz
    );
    comment on table offer_standings is 'what people said of public codes in the last 30 days';
    comment on column offer_standings.doubt is '10,000 less the lower bound of the share that worked: the order of offers';
    comment on column offer_standings.lapses_at is 'when the oldest counted answer is 30 days old';
    create index offer_standings_lapse on offer_standings (lapses_at) where lapses_at is not null;

    alter table feed_offers add column doubt integer not null default 7318;
    comment on column feed_offers.doubt is 'of its standing';
    create index feed_offers_standing on feed_offers (merchant_key, regions, doubt, id);
    drop index feed_offers_regions`.execute(db);
}
