import { type Kysely, sql } from 'kysely';

/** The people whose points may have changed: the leaderboard counts them alone, and not all history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Who passes others moves them all: with no index on the rank and room in each page, new ranks stay where the old ones were.
    create index leaderboard_best on leaderboard (category, (-score), reached_at, user_id);
    alter table leaderboard set (fillfactor = 50);
    drop index leaderboard_rank`.execute(db);

  await sql`
    -- A row for each change: one more waits for nobody. No foreign key: its check would lock the person after the coupon,
    -- while whoever bans them locks their coupons after the person.
    create table leaderboard_queue (
      id bigint generated always as identity primary key,
      user_id integer not null
    );
    comment on table leaderboard_queue is 'people whose points are to be counted again';
    insert into leaderboard_queue (user_id) select id from users order by id;
    create index leaderboard_queue_user on leaderboard_queue (user_id);

    -- All that gives points or takes them (decisions 5.6).
    create function queue_for_leaderboard() returns trigger language plpgsql as $$
    begin
      case tg_table_name
        when 'coupons' then
          insert into leaderboard_queue (user_id) values (coalesce(
            (select from_user_id from coupon_transfers where coupon_id = new.id order by id limit 1), new.owner_id));
        when 'coupon_transfers' then
          insert into leaderboard_queue (user_id) values (new.from_user_id), (new.to_user_id);
        when 'uncounted_pairs' then
          insert into leaderboard_queue (user_id) values (new.lower_id), (new.higher_id);
        when 'user_ratings' then
          insert into leaderboard_queue (user_id) values (new.rated_user_id);
        when 'users' then
          insert into leaderboard_queue (user_id) values (new.id);
        else
          raise exception 'the leaderboard does not depend on %', tg_table_name;
      end case;
      return null;
    end $$;
    create trigger coupons_queue_new_for_leaderboard after insert on coupons for each row
      when (new.is_verified) execute function queue_for_leaderboard();
    create trigger coupons_queue_for_leaderboard after update of is_verified, deleted_at, category, code_hash on coupons
      for each row when ((old.is_verified or new.is_verified) and
        (new.is_verified, new.deleted_at, new.category, new.code_hash) is distinct from
        (old.is_verified, old.deleted_at, old.category, old.code_hash))
      execute function queue_for_leaderboard();
    create trigger coupon_transfers_queue_for_leaderboard after insert on coupon_transfers for each row
      execute function queue_for_leaderboard();
    create trigger uncounted_pairs_queue_for_leaderboard after insert on uncounted_pairs for each row
      execute function queue_for_leaderboard();
    create trigger user_ratings_queue_for_leaderboard after update of is_counted on user_ratings for each row
      when (new.is_counted and not old.is_counted) execute function queue_for_leaderboard();
    create trigger users_queue_for_leaderboard after update of status, deleted_at on users for each row
      when ((new.status, new.deleted_at) is distinct from (old.status, old.deleted_at))
      execute function queue_for_leaderboard();

    -- What others did with somebody counts once that person has confirmed their address.
    create function queue_partners_for_leaderboard() returns trigger language plpgsql as $$
    begin
      insert into leaderboard_queue (user_id)
        select new.id
        union select from_user_id from coupon_transfers where to_user_id = new.id
        union select to_user_id from coupon_transfers where from_user_id = new.id;
      return null;
    end $$;
    create trigger users_queue_partners_for_leaderboard after update of email_verified_at, deleted_at on users for each row
      when ((new.email_verified_at is null and new.deleted_at is null)
        <> (old.email_verified_at is null and old.deleted_at is null))
      execute function queue_partners_for_leaderboard()`.execute(db);
}
