import { type Kysely, sql } from 'kysely';

/** Nobody keeps the same search twice, and nobody is told of the same swap twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table want_pairs on commit drop as
      select id, first_value(id) over (
        partition by user_id, lower(search), lower(merchant), category, low, high, expiry_days, region
        order by is_paused, gives = 'nothing', id) as kept_id
      from wants;
    insert into want_finds (want_id, coupon_id, found_at)
      select kept_id, coupon_id, max(found_at) from want_finds join want_pairs on id = want_id
      where id <> kept_id group by kept_id, coupon_id
      on conflict do nothing;
    delete from wants using want_pairs where wants.id = want_pairs.id and wants.id <> kept_id;
    create unique index wants_one_of_a_kind on wants
      (user_id, lower(search), lower(merchant), category, low, high, expiry_days, region) nulls not distinct;

    create table match_swaps_told (
      user_id integer not null references users (id),
      given_id integer not null references coupons (id) on delete cascade,
      got_id integer not null references coupons (id) on delete cascade,
      primary key (user_id, given_id, got_id)
    );
    create index match_swaps_told_given on match_swaps_told (given_id);
    create index match_swaps_told_got on match_swaps_told (got_id);
    comment on table match_swaps_told is 'what for what, of the matches that somebody has been told of';

    -- A match and its exchange are stored in one transaction.
    delete from matches where state = 'proposed' and exchange_id is null;
    alter table matches add check (state <> 'proposed' or exchange_id is not null);

    -- Whoever is back is suggested again.
    create index users_away_until on users (away_until) where away_until is not null`.execute(db);
}
