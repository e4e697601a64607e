import { type Kysely, sql } from 'kysely';

/** Swaps and rings that the finder suggests, and what it finds them with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table match_fits (
      want_id integer not null references wants (id) on delete cascade,
      coupon_id integer not null references coupons (id) on delete cascade,
      primary key (want_id, coupon_id)
    );
    comment on table match_fits is 'coupons that were listed before the want; those that came later are in want_finds';
    create index match_fits_coupon on match_fits (coupon_id);

    create table match_wishes (
      user_id integer not null references users (id),
      coupon_id integer not null references coupons (id) on delete cascade,
      primary key (user_id, coupon_id)
    );
    comment on table match_wishes is 'coupons that somebody asked for in vain';
    create index match_wishes_coupon on match_wishes (coupon_id);

    create table match_edges (
      id bigint generated always as identity primary key,
      taker_id integer not null references users (id),
      owner_id integer not null references users (id),
      coupon_id integer not null references coupons (id) on delete cascade,
      want_id integer references wants (id) on delete cascade,
      is_explicit boolean not null generated always as (want_id is not null) stored,
      gives_some boolean not null,
      searched_at timestamptz(3),
      unique nulls not distinct (coupon_id, taker_id, want_id),
      constraint match_edges_two_people check (taker_id <> owner_id)
    );
    comment on table match_edges is 'who would take which coupon from whom';
    comment on column match_edges.want_id is 'null: the coupon was saved, or asked for in vain';
    comment on column match_edges.gives_some is 'only the coupons that the want names (want_gifts), not any';
    comment on column match_edges.searched_at is 'when rings were looked for through it; null: not yet';
    create index match_edges_taker on match_edges (taker_id, is_explicit desc, id desc);
    create index match_edges_owner on match_edges (owner_id, is_explicit desc, id desc);
    create index match_edges_pair on match_edges (taker_id, owner_id, is_explicit desc, id desc);
    create index match_edges_want on match_edges (want_id);
    create index match_edges_searched on match_edges (searched_at nulls first, id);

    create table matches (
      id integer generated always as identity primary key,
      key text not null unique,
      size smallint not null check (size between 2 and 6),
      state text not null default 'waiting' check (state in ('waiting', 'open', 'proposed', 'dismissed')),
      is_chosen boolean not null default false,
      is_explicit boolean not null,
      score integer not null,
      difference integer,
      exchange_id integer references exchanges (id),
      dismissed_by_id integer references users (id),
      reason text check (reason in ('not_interested', 'keep_mine', 'unfair', 'person', 'other')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint matches_chosen_open check (not is_chosen or state = 'open'),
      -- A match and its exchange are stored in one transaction.
      constraint matches_proposed_exchange check (state <> 'proposed' or exchange_id is not null),
      constraint matches_exchange_proposed check (exchange_id is null or state in ('proposed', 'dismissed')),
      constraint matches_dismissal_explained
        check ((reason is null) = (dismissed_by_id is null) and (reason is null or state = 'dismissed'))
    );
    comment on column matches.key is 'its legs, in one order';
    comment on column matches.state is 'waiting: somebody in it has better ones open';
    comment on column matches.is_chosen is 'among the open ones that together make the most trades';
    comment on column matches.difference is
      'cents: the largest of what somebody gets less what they give; null: not known';
    create index matches_exchange on matches (exchange_id) where exchange_id is not null;

    create table match_legs (
      match_id integer not null references matches (id) on delete cascade,
      place smallint not null,
      coupon_id integer not null references coupons (id) on delete cascade,
      giver_id integer not null references users (id),
      receiver_id integer not null references users (id),
      want_id integer references wants (id) on delete set null,
      slot smallint check (slot between 1 and 5),
      awaits_notification boolean not null default false,
      primary key (match_id, place),
      -- Nobody is in more than five open matches.
      unique (giver_id, slot)
    );
    comment on column match_legs.want_id is 'a want of the receiver';
    comment on column match_legs.slot is 'of its giver, while the match is open';
    create index match_legs_giver on match_legs (giver_id, match_id);
    create index match_legs_coupon on match_legs (coupon_id);
    create index match_legs_want on match_legs (want_id);
    create index match_legs_notification on match_legs (giver_id) where awaits_notification;

    create table match_dismissals (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      reason text not null check (reason in ('not_interested', 'keep_mine', 'unfair', 'person')),
      coupon_id integer references coupons (id) on delete cascade,
      gift_id integer references coupons (id) on delete cascade,
      want_id integer references wants (id) on delete cascade,
      person_id integer references users (id),
      difference integer,
      created_at timestamptz(3) not null
    );
    comment on table match_dismissals is 'what somebody has said when they dismissed a match';
    comment on column match_dismissals.difference is 'cents: what they get less what they give has to be more';
    create index match_dismissals_user on match_dismissals (user_id);

    create table match_notifications (
      user_id integer primary key references users (id),
      notified_at timestamptz(3) not null
    );

    create table match_swaps_notified (
      user_id integer not null references users (id),
      given_id integer not null references coupons (id) on delete cascade,
      got_id integer not null references coupons (id) on delete cascade,
      primary key (user_id, given_id, got_id)
    );
    comment on table match_swaps_notified is 'what for what: nobody is told of the same swap twice';
    create index match_swaps_notified_given on match_swaps_notified (given_id);
    create index match_swaps_notified_got on match_swaps_notified (got_id)`.execute(db);

  await sql`
    -- A row for each change: one more costs the change nothing and waits for nobody.
    create table match_queue (
      id bigint generated always as identity primary key,
      coupon_id integer references coupons (id) on delete cascade,
      want_id integer references wants (id) on delete cascade,
      user_id integer references users (id),
      other_id integer references users (id),
      exchange_id integer references exchanges (id),
      constraint match_queue_something check (num_nonnulls(coupon_id, want_id, user_id, exchange_id) > 0)
    );
    comment on table match_queue is
      'a changed coupon, want, person, pair of people or exchange; or a coupon that came for a want or that somebody saved';
    create index match_queue_wants on match_queue (id) where want_id is not null and coupon_id is null;

    create function queue_for_matches() returns trigger language plpgsql as $$
    begin
      case tg_table_name
        when 'coupons' then
          insert into match_queue (coupon_id)
            select present.id from present join past using (id)
            where (present.is_active, present.owner_id, present.is_open_to_offers, present.transferable, present.category,
                present.value, present.discount_type, present.expiry_date, present.title, present.description,
                present.merchant, present.regions)
              is distinct from (past.is_active, past.owner_id, past.is_open_to_offers, past.transferable, past.category,
                past.value, past.discount_type, past.expiry_date, past.title, past.description,
                past.merchant, past.regions);
        when 'coupon_reservations' then
          insert into match_queue (coupon_id) select coupon_id from changed join coupons on coupons.id = coupon_id;
        when 'want_finds' then
          insert into match_queue (coupon_id, want_id)
            select coupon_id, want_id from changed join wants on wants.id = want_id
            where gives <> 'nothing' and not is_paused;
        when 'want_gifts' then
          insert into match_queue (want_id)
            select distinct want_id from changed join wants on wants.id = want_id;
        when 'saved_coupons' then
          insert into match_queue (coupon_id, user_id)
            select coupon_id, user_id from changed join coupons on coupons.id = coupon_id;
        when 'user_blocks' then
          insert into match_queue (user_id, other_id) select blocker_id, blocked_id from changed;
        else
          raise exception 'matches do not depend on %', tg_table_name;
      end case;
      return null;
    end $$;
    create trigger coupons_queue_for_matches after update on coupons
      referencing old table as past new table as present for each statement execute function queue_for_matches();
    create trigger coupon_reservations_queue_taken after insert on coupon_reservations
      referencing new table as changed for each statement execute function queue_for_matches();
    create trigger coupon_reservations_queue_freed after delete on coupon_reservations
      referencing old table as changed for each statement execute function queue_for_matches();
    create trigger want_finds_queue_for_matches after insert on want_finds
      referencing new table as changed for each statement execute function queue_for_matches();
    create trigger want_gifts_queue_added after insert on want_gifts
      referencing new table as changed for each statement execute function queue_for_matches();
    create trigger want_gifts_queue_removed after delete on want_gifts
      referencing old table as changed for each statement execute function queue_for_matches();
    create trigger saved_coupons_queue_saved after insert on saved_coupons
      referencing new table as changed for each statement execute function queue_for_matches();
    create trigger saved_coupons_queue_unsaved after delete on saved_coupons
      referencing old table as changed for each statement execute function queue_for_matches();
    create trigger user_blocks_queue_added after insert on user_blocks
      referencing new table as changed for each statement execute function queue_for_matches();
    create trigger user_blocks_queue_removed after delete on user_blocks
      referencing old table as changed for each statement execute function queue_for_matches();

    create function queue_row_for_matches() returns trigger language plpgsql as $$
    begin
      case tg_table_name
        when 'wants' then
          if tg_op = 'DELETE' then
            insert into match_queue (user_id) values (old.user_id);
          else
            insert into match_queue (want_id) values (new.id);
          end if;
        when 'users' then
          insert into match_queue (user_id) values (new.id);
        when 'exchanges' then
          insert into match_queue (exchange_id) values (new.id);
        else
          raise exception 'matches do not depend on %', tg_table_name;
      end case;
      return null;
    end $$;
    create trigger wants_queue_made after insert on wants
      for each row when (new.gives <> 'nothing') execute function queue_row_for_matches();
    create trigger wants_queue_changed after update on wants
      for each row when (
        (new.search, new.merchant, new.category, new.min_value, new.max_value, new.expiry_days, new.region, new.gives,
          new.is_paused)
        is distinct from (old.search, old.merchant, old.category, old.min_value, old.max_value, old.expiry_days,
          old.region, old.gives, old.is_paused))
      execute function queue_row_for_matches();
    create trigger wants_queue_deleted after delete on wants
      for each row execute function queue_row_for_matches();
    create trigger users_queue_for_matches after update of status, deleted_at, away_until on users
      for each row when (
        (new.status, new.deleted_at, new.away_until) is distinct from (old.status, old.deleted_at, old.away_until))
      execute function queue_row_for_matches();
    create trigger exchanges_queue_for_matches after update of status on exchanges
      for each row when (new.status in ('rejected', 'cancelled') and old.status <> new.status)
      execute function queue_row_for_matches()`.execute(db);
}
