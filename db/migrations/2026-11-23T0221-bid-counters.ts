import { type Kysely, sql } from 'kysely';

/** The answer to a bid can be another amount: rounds, in which the seller and the bidder take turns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bids
      add column round integer not null default 1
        constraint bids_round check (round between 1 and 5),
      add column counter_amount numeric(10, 2)
        constraint bids_counter_amount check (counter_amount between 3.00 and 10000.00),
      add column answer_by timestamptz,
      add constraint bids_counter_stands check ((round % 2 = 0) = (counter_amount is not null)),
      add constraint bids_counter_above check (counter_amount is null or counter_amount > amount
        or accepted_at is not null and counter_amount = amount),
      add constraint bids_accepted_counter check (accepted_at is null or counter_amount is null or counter_amount = amount),
      add constraint bids_answer_timed check ((round > 1) = (answer_by is not null));
    comment on column bids.amount is 'CAD: what the bidder bids, or has accepted';
    comment on column bids.round is 'odd: the bidder has named the amount, and the seller answers; even: the other way';
    comment on column bids.counter_amount is 'CAD: what the seller asks in the round that the bidder answers';
    comment on column bids.answer_by is 'the deadline of a round after the first';
    create index bids_answer_by on bids (answer_by) where status = 'pending' and answer_by is not null;

    -- Whoever named the amount of a round follows from its number.
    create table bid_counters (
      bid_id integer not null references bids (id),
      round integer not null check (round between 2 and 5),
      from_amount numeric(10, 2) not null,
      to_amount numeric(10, 2) not null,
      created_at timestamptz not null,
      primary key (bid_id, round),
      constraint bid_counters_other_amount check (from_amount <> to_amount)
    )`.execute(db);

  await sql`
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
