import { type Kysely, sql } from 'kysely';

/** Exchanges and bids, the coupons they hold back and move, and what their people write and rate. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A deal only moves forward: nothing leaves an ended state, whatever the program believes.
    create function refuse_backward_deal() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not (
        (old.status = 'pending' and new.status in ('accepted', 'rejected', 'cancelled')) or
        (old.status = 'accepted' and new.status in ('completed', 'cancelled'))
      ) then
        raise exception 'a deal cannot go from % to %', old.status, new.status using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);
  await createExchanges(db);
  await createBids(db);

  await sql`
    -- A coupon that an accepted deal holds back: the key makes a second one impossible (decisions 3.1).
    create table coupon_reservations (
      coupon_id integer primary key references coupons (id),
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      created_at timestamptz not null,
      constraint coupon_reservations_one_deal check (num_nonnulls(exchange_id, bid_id) = 1)
    );
    create index coupon_reservations_exchange on coupon_reservations (exchange_id);
    create unique index coupon_reservations_bid on coupon_reservations (bid_id);

    -- Every change of owner, once a deal and coupon. A sale moves a coupon once, its refund moves it back once.
    create table coupon_transfers (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id),
      from_user_id integer not null references users (id),
      to_user_id integer not null references users (id),
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      is_return boolean not null default false,
      created_at timestamptz not null,
      constraint coupon_transfers_once unique (exchange_id, coupon_id),
      constraint coupon_transfers_bid_once unique (bid_id, is_return),
      constraint coupon_transfers_moves check (from_user_id <> to_user_id),
      constraint coupon_transfers_one_deal check (num_nonnulls(exchange_id, bid_id) = 1),
      constraint coupon_transfers_only_sales_return check (not is_return or bid_id is not null)
    );
    create index coupon_transfers_coupon on coupon_transfers (coupon_id, id);
    -- The first to give a coupon away had listed it: points for a listing are counted for one person.
    create index coupon_transfers_from on coupon_transfers (from_user_id, coupon_id)`.execute(db);

  await sql`
    create table messages (
      id integer generated always as identity primary key,
      exchange_id integer references exchanges (id),
      bid_id integer references bids (id),
      sender_id integer not null references users (id),
      receiver_id integer references users (id),
      content text not null check (length(content) between 1 and 2000),
      is_read boolean not null default false,
      client_key uuid,
      created_at timestamptz not null,
      constraint messages_one_deal check (num_nonnulls(exchange_id, bid_id) = 1),
      constraint messages_two_people check (sender_id <> receiver_id)
    );
    comment on column messages.receiver_id is 'null in a ring: message_receipts has a row for each other person';
    comment on column messages.client_key is 'chosen by the sender: the same message sent twice is stored once';
    create unique index messages_client_key on messages (sender_id, client_key);
    create index messages_exchange on messages (exchange_id, id desc);
    create index messages_bid on messages (bid_id, id desc);
    create index messages_unread on messages (receiver_id, exchange_id, bid_id) where not is_read;

    create table message_receipts (
      message_id integer not null references messages (id),
      user_id integer not null references users (id),
      exchange_id integer not null references exchanges (id),
      is_read boolean not null default false,
      primary key (message_id, user_id)
    );
    create index message_receipts_unread on message_receipts (user_id, exchange_id) where not is_read;

    create table user_ratings (
      id integer generated always as identity primary key,
      rater_id integer not null references users (id),
      rated_user_id integer not null references users (id),
      rating integer not null check (rating between 1 and 10),
      comment text check (length(comment) <= 1000),
      related_entity_type text not null check (related_entity_type in ('exchange', 'bid')),
      related_entity_id integer not null,
      is_verified boolean not null default false,
      is_counted boolean not null default false,
      visible_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint user_ratings_two_people check (rater_id <> rated_user_id),
      constraint user_ratings_once unique (related_entity_type, related_entity_id, rater_id, rated_user_id)
    );
    comment on column user_ratings.is_verified is 'given for a deal that was completed here';
    comment on column user_ratings.is_counted is 'is in total_rating and rating_count of the rated person';
    comment on column user_ratings.visible_at is 'when both have rated, or seven days after it was given';
    create index user_ratings_rated on user_ratings (rated_user_id, visible_at desc, id desc);
    create index user_ratings_rater on user_ratings (rater_id);
    create index user_ratings_uncounted on user_ratings (visible_at) where not is_counted`.execute(db);
}

/** An exchange is a set of parties, each of whom agrees, and a set of legs: who gives which coupon to whom (docs/legs.md). */
async function createExchanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchanges (
      id integer generated always as identity primary key,
      kind text not null default 'swap' check (kind in ('swap', 'ring')),
      requester_id integer not null references users (id),
      status text not null default 'pending' check (status in
        ('pending', 'accepted', 'rejected', 'completed', 'cancelled')),
      reason text check (reason in
        ('by_requester', 'by_owner', 'by_party', 'countered', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'code_refused', 'deadline', 'party_banned', 'party_left')),
      ended_by_id integer references users (id),
      message text check (length(message) <= 1000),
      version integer not null default 1,
      replaces_id integer references exchanges (id)
        constraint exchanges_one_successor unique,
      round integer not null default 1
        constraint exchanges_round check (round between 1 and 5),
      thread_id integer not null default 0 references exchanges (id),
      consent_by timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      accepted_at timestamptz,
      completed_at timestamptz,
      constraint exchanges_accepted_dated check (status not in ('accepted', 'completed') or accepted_at is not null),
      constraint exchanges_completed_dated check ((status = 'completed') = (completed_at is not null)),
      constraint exchanges_end_explained check ((status in ('rejected', 'cancelled')) = (reason is not null)),
      constraint exchanges_ended_by_person check (ended_by_id is null or
        status in ('rejected', 'cancelled') and reason in ('by_requester', 'by_owner', 'by_party', 'countered')),
      constraint exchanges_party_named
        check (reason not in ('by_party', 'countered') or ended_by_id is not null),
      constraint exchanges_first_round check ((round = 1) = (replaces_id is null)),
      constraint exchanges_swaps_countered check (replaces_id is null or kind = 'swap'),
      constraint exchanges_consent_timed
        check ((kind = 'ring' or replaces_id is not null) = (consent_by is not null))
    );
    comment on column exchanges.requester_id is 'who proposed it';
    comment on column exchanges.ended_by_id is 'who ended it, if a person did';
    comment on column exchanges.version is 'goes up when its legs change';
    comment on column exchanges.replaces_id is 'the proposal that this one answers';
    comment on column exchanges.thread_id is
      'the first round, whose messages all rounds share; like round, filled by a trigger';
    comment on column exchanges.consent_by is
      'until when the people of a ring, or the receiver of a counter-offer, have to agree';
    create trigger exchanges_forward_only before update of status on exchanges
      for each row execute function refuse_backward_deal();
    create unique index exchanges_rounds on exchanges (thread_id, round);
    -- For the job that ends deals at their deadline.
    create index exchanges_pending_since on exchanges (created_at) where status = 'pending';
    create index exchanges_consent_due on exchanges (consent_by) where status = 'pending';
    create index exchanges_accepted_since on exchanges (accepted_at) where status = 'accepted';

    create table exchange_parties (
      exchange_id integer not null references exchanges (id),
      user_id integer not null references users (id),
      consented_at timestamptz,
      is_author boolean not null,
      status text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (exchange_id, user_id)
    );
    comment on column exchange_parties.status is
      'like is_author, created_at and updated_at: copied from the exchange by triggers, for the indexes';
    create index exchange_parties_created on exchange_parties (user_id, created_at desc, exchange_id desc);
    create index exchange_parties_side on exchange_parties (user_id, is_author, created_at desc, exchange_id desc);
    -- Conversations are listed by their last change.
    create index exchange_parties_updated on exchange_parties (user_id, updated_at desc, exchange_id desc);
    create index exchange_parties_open on exchange_parties (user_id) where status in ('pending', 'accepted');
    create index exchange_parties_completed on exchange_parties (user_id) where status = 'completed';

    create table exchange_legs (
      exchange_id integer not null references exchanges (id),
      place integer not null check (place between 1 and 20),
      coupon_id integer not null references coupons (id),
      giver_id integer not null,
      receiver_id integer not null,
      is_asked boolean not null,
      status text not null,
      primary key (exchange_id, coupon_id),
      constraint exchange_legs_place unique (exchange_id, place),
      constraint exchange_legs_two_people check (giver_id <> receiver_id),
      constraint exchange_legs_giver foreign key (exchange_id, giver_id) references exchange_parties,
      constraint exchange_legs_receiver foreign key (exchange_id, receiver_id) references exchange_parties
    );
    comment on column exchange_legs.is_asked is 'a coupon that the author of a swap asks for';
    comment on column exchange_legs.status is 'like is_asked: copied from the exchange by triggers, for the indexes';
    -- One pending request per person and coupon.
    create unique index exchanges_one_pending on exchange_legs (receiver_id, coupon_id)
      where is_asked and status = 'pending';
    create index exchange_legs_open on exchange_legs (coupon_id) where status in ('pending', 'accepted');
    create index exchange_legs_coupon on exchange_legs (coupon_id, exchange_id);
    create index exchange_legs_completed on exchange_legs (receiver_id) where status = 'completed'`.execute(
    db,
  );

  await sql`
    create function fill_exchange_party() returns trigger language plpgsql as $$
    begin
      select new.user_id = requester_id, status, created_at, updated_at
        into new.is_author, new.status, new.created_at, new.updated_at
        from exchanges where id = new.exchange_id;
      return new;
    end $$;
    create trigger exchange_parties_fill before insert on exchange_parties
      for each row execute function fill_exchange_party();

    create function fill_exchange_leg() returns trigger language plpgsql as $$
    begin
      select status, kind = 'swap' and new.receiver_id = requester_id into new.status, new.is_asked
        from exchanges where id = new.exchange_id;
      return new;
    end $$;
    create trigger exchange_legs_fill before insert on exchange_legs
      for each row execute function fill_exchange_leg();

    create function copy_exchange_state() returns trigger language plpgsql as $$
    begin
      update exchange_parties set status = new.status, updated_at = new.updated_at where exchange_id = new.id;
      if new.status <> old.status then
        update exchange_legs set status = new.status where exchange_id = new.id;
      end if;
      return null;
    end $$;
    create trigger exchanges_copied after update of status, updated_at on exchanges
      for each row execute function copy_exchange_state();

    -- What was agreed on stays: legs change only while nobody but the author has agreed.
    create function refuse_leg_change() returns trigger language plpgsql as $$
    begin
      if old.status <> 'pending' then
        raise exception 'the legs of a deal that is % do not change', old.status using errcode = 'check_violation';
      end if;
      return coalesce(new, old);
    end $$;
    create trigger exchange_legs_stay before update of coupon_id, giver_id, receiver_id or delete on exchange_legs
      for each row execute function refuse_leg_change();

    -- At the end of each transaction: everybody gives something and gets something, and agreed before it is accepted.
    create function check_exchange() returns trigger language plpgsql as $$
    declare
      checked exchanges;
      people integer;
      legs integer;
    begin
      if tg_table_name = 'exchanges' then
        select * into checked from exchanges where id = new.id;
      elsif tg_op = 'DELETE' then
        select * into checked from exchanges where id = old.exchange_id;
      else
        select * into checked from exchanges where id = new.exchange_id;
      end if;
      if checked.id is null then return null; end if;
      select count(*) into people from exchange_parties where exchange_id = checked.id;
      select count(*) into legs from exchange_legs where exchange_id = checked.id;
      if not exists (select from exchange_parties where exchange_id = checked.id and is_author) then
        raise exception 'exchange % lacks its author', checked.id using errcode = 'check_violation';
      end if;
      if checked.kind = 'swap' and people <> 2
        or checked.kind = 'ring' and (people not between 3 and 6 or legs <> people) then
        raise exception 'a % has not % people and % legs', checked.kind, people, legs using errcode = 'check_violation';
      end if;
      if exists (select from exchange_parties as party where exchange_id = checked.id and not (
        exists (select from exchange_legs where exchange_id = checked.id and giver_id = party.user_id) and
        exists (select from exchange_legs where exchange_id = checked.id and receiver_id = party.user_id))) then
        raise exception 'somebody gives or gets nothing in exchange %', checked.id using errcode = 'check_violation';
      end if;
      if checked.status in ('accepted', 'completed') and exists (
        select from exchange_parties where exchange_id = checked.id and consented_at is null) then
        raise exception 'not everybody has agreed to exchange %', checked.id using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger exchanges_sound after insert or update of status on exchanges
      deferrable initially deferred for each row execute function check_exchange();
    create constraint trigger exchange_parties_sound after update of consented_at or delete on exchange_parties
      deferrable initially deferred for each row execute function check_exchange();
    create constraint trigger exchange_legs_sound
      after update of coupon_id, giver_id, receiver_id or delete on exchange_legs
      deferrable initially deferred for each row execute function check_exchange()`.execute(db);

  await sql`
    -- The answer to a proposal can be another proposal: rounds of a negotiation.
    create function fill_exchange_round() returns trigger language plpgsql as $$
    begin
      if new.replaces_id is null then
        new.round := 1;
        new.thread_id := new.id;
      else
        select round + 1, thread_id into new.round, new.thread_id from exchanges where id = new.replaces_id;
      end if;
      return new;
    end $$;
    create trigger exchanges_fill_round before insert on exchanges
      for each row execute function fill_exchange_round();

    create function refuse_round_change() returns trigger language plpgsql as $$
    begin
      raise exception 'a round keeps its place in its negotiation' using errcode = 'check_violation';
    end $$;
    create trigger exchanges_rounds_stay before update of replaces_id, round, thread_id on exchanges
      for each row execute function refuse_round_change();

    -- At the end of each transaction: a round replaces a countered one of the same two people, which nothing else ends.
    create function check_exchange_round() returns trigger language plpgsql as $$
    declare
      checked exchanges;
      before exchanges;
    begin
      select * into checked from exchanges where id = new.id;
      if checked.reason = 'countered' and not exists (select from exchanges where replaces_id = checked.id) then
        raise exception 'no counter-offer replaces exchange %', checked.id using errcode = 'check_violation';
      end if;
      if checked.replaces_id is null then return null; end if;
      select * into before from exchanges where id = checked.replaces_id;
      if before.reason is distinct from 'countered' or before.requester_id = checked.requester_id
        or before.ended_by_id is distinct from checked.requester_id then
        raise exception 'exchange % replaces one that its author has not countered', checked.id
          using errcode = 'check_violation';
      end if;
      if (select array_agg(user_id order by user_id) from exchange_parties where exchange_id = before.id)
        is distinct from
        (select array_agg(user_id order by user_id) from exchange_parties where exchange_id = checked.id) then
        raise exception 'exchange % is between other people than the one it replaces', checked.id
          using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger exchanges_rounds_sound after insert or update of status on exchanges
      deferrable initially deferred for each row
      when (new.replaces_id is not null or new.reason = 'countered')
      execute function check_exchange_round()`.execute(db);
}

/** A bid offers CAD for a coupon; the bidder and the seller may take turns in naming the amount. */
async function createBids(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bids (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id),
      bidder_id integer not null references users (id),
      owner_id integer not null references users (id),
      amount numeric(10, 2) not null check (amount between 3.00 and 10000.00),
      round integer not null default 1
        constraint bids_round check (round between 1 and 5),
      counter_amount numeric(10, 2)
        constraint bids_counter_amount check (counter_amount between 3.00 and 10000.00),
      answer_by timestamptz,
      status text not null default 'pending' check (status in
        ('pending', 'accepted', 'rejected', 'completed', 'cancelled')),
      reason text check (reason in
        ('by_bidder', 'by_owner', 'rival_accepted', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'code_refused', 'deadline', 'party_banned', 'party_left')),
      is_automatic boolean not null default false,
      message text check (length(message) <= 1000),
      buyer_fee_percent numeric(4, 2) not null default 5.00
        constraint bids_buyer_fee_percent check (buyer_fee_percent between 0 and 50),
      buyer_fee_minimum numeric(10, 2) not null default 0.00
        constraint bids_buyer_fee_minimum check (buyer_fee_minimum between 0 and 2.99),
      seller_fee_percent numeric(4, 2) not null default 5.00
        constraint bids_seller_fee_percent check (seller_fee_percent between 0 and 50),
      seller_fee_minimum numeric(10, 2) not null default 0.00
        constraint bids_seller_fee_minimum check (seller_fee_minimum between 0 and 2.99),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      accepted_at timestamptz,
      completed_at timestamptz,
      constraint bids_two_people check (bidder_id <> owner_id),
      constraint bids_accepted_dated check (status not in ('accepted', 'completed') or accepted_at is not null),
      constraint bids_completed_dated check ((status = 'completed') = (completed_at is not null)),
      constraint bids_end_explained check ((status in ('rejected', 'cancelled')) = (reason is not null)),
      constraint bids_automatic check (not is_automatic or accepted_at is not null),
      constraint bids_counter_stands check ((round % 2 = 0) = (counter_amount is not null)),
      constraint bids_counter_above check (counter_amount is null or counter_amount > amount
        or accepted_at is not null and counter_amount = amount),
      constraint bids_accepted_counter check (accepted_at is null or counter_amount is null or counter_amount = amount),
      constraint bids_answer_timed check ((round > 1) = (answer_by is not null))
    );
    comment on column bids.owner_id is 'the seller: who owned the coupon when the bid was placed';
    comment on column bids.amount is 'CAD: what the bidder bids, or has accepted';
    comment on column bids.round is
      'odd: the bidder has named the amount, and the seller answers; even: the other way';
    comment on column bids.counter_amount is 'CAD: what the seller asks in the round that the bidder answers';
    comment on column bids.answer_by is 'the deadline of a round after the first';
    comment on column bids.is_automatic is 'accepted at once by the price that the owner had set';
    comment on column bids.buyer_fee_percent is 'the rates in force when it was accepted; without meaning before';
    create unique index bids_one_pending on bids (bidder_id, coupon_id) where status = 'pending';
    create unique index bids_one_accepted on bids (coupon_id) where status = 'accepted';
    create index bids_bidder on bids (bidder_id, created_at desc, id desc);
    create index bids_bidder_open on bids (bidder_id, created_at desc, id desc)
      where status in ('pending', 'accepted');
    -- The seller's list: grouped by coupon, the highest bid first.
    create index bids_owner on bids (owner_id, coupon_id desc, amount desc, id desc);
    create index bids_owner_open on bids (owner_id, coupon_id desc, amount desc, id desc)
      where status in ('pending', 'accepted');
    create index bids_owner_newest on bids (owner_id, created_at desc, id desc);
    create index bids_bidder_updated on bids (bidder_id, updated_at desc, id desc);
    create index bids_owner_updated on bids (owner_id, updated_at desc, id desc);
    create index bids_open_coupon on bids (coupon_id, amount desc) where status in ('pending', 'accepted');
    create index bids_pending_since on bids (created_at) where status = 'pending';
    create index bids_answer_by on bids (answer_by) where status = 'pending' and answer_by is not null;
    create index bids_accepted_since on bids (accepted_at) where status = 'accepted';
    create trigger bids_forward_only before update of status on bids
      for each row execute function refuse_backward_deal();

    create function refuse_other_fee_rates() returns trigger language plpgsql as $$
    begin
      if old.accepted_at is not null and (old.amount, old.buyer_fee_percent, old.buyer_fee_minimum,
          old.seller_fee_percent, old.seller_fee_minimum) is distinct from (new.amount, new.buyer_fee_percent,
          new.buyer_fee_minimum, new.seller_fee_percent, new.seller_fee_minimum) then
        raise exception 'the amount and the fees of an accepted bid cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger bids_fees_fixed before update on bids
      for each row execute function refuse_other_fee_rates();

    -- The number of a round says who named its amount.
    create table bid_counters (
      bid_id integer not null references bids (id),
      round integer not null check (round between 2 and 5),
      from_amount numeric(10, 2) not null,
      to_amount numeric(10, 2) not null,
      created_at timestamptz not null,
      primary key (bid_id, round),
      constraint bid_counters_other_amount check (from_amount <> to_amount)
    );
    create function check_bid_round() returns trigger language plpgsql as $$
    begin
      if new.round <> old.round then
        if new.round <> old.round + 1 or old.status <> 'pending' or new.status <> 'pending' then
          raise exception 'the round of bid % cannot go from % to %', old.id, old.round, new.round
            using errcode = 'check_violation';
        end if;
        insert into bid_counters (bid_id, round, from_amount, to_amount, created_at) values (
          new.id, new.round, coalesce(old.counter_amount, old.amount),
          coalesce(new.counter_amount, new.amount), new.updated_at);
      elsif new.counter_amount is distinct from old.counter_amount then
        raise exception 'bid % has no other counter-offer without a round', old.id using errcode = 'check_violation';
      end if;
      if new.amount <> old.amount and new.amount is distinct from old.counter_amount
        and not (new.round = old.round + 1 and new.round % 2 = 1) then
        raise exception 'the amount of bid % is for its bidder to change, in their turn', old.id
          using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger bids_round_checked before update of round, amount, counter_amount on bids
      for each row execute function check_bid_round()`.execute(db);
}
