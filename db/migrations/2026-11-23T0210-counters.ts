import { type Kysely, sql } from 'kysely';

/** The answer to a proposal can be another proposal: rounds of a negotiation (docs/legs.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exchanges
      add column replaces_id integer references exchanges (id),
      add column round integer not null default 1,
      add column thread_id integer references exchanges (id);
    update exchanges set thread_id = id;
    alter table exchanges
      alter column thread_id set not null,
      alter column thread_id set default 0,
      add constraint exchanges_one_successor unique (replaces_id),
      add constraint exchanges_round check (round between 1 and 5),
      add constraint exchanges_first_round check ((round = 1) = (replaces_id is null)),
      add constraint exchanges_swaps_countered check (replaces_id is null or kind = 'swap'),
      drop constraint exchanges_consent_timed,
      add constraint exchanges_consent_timed
        check ((kind = 'ring' or replaces_id is not null) = (consent_by is not null)),
      drop constraint exchanges_ended_by_person,
      add constraint exchanges_ended_by_person check (ended_by_id is null or
        status in ('rejected', 'cancelled') and reason in ('by_requester', 'by_owner', 'by_party', 'countered')),
      drop constraint exchanges_party_named,
      add constraint exchanges_party_named
        check (reason not in ('by_party', 'countered') or ended_by_id is not null),
      drop constraint exchanges_reason_check,
      add constraint exchanges_reason_check check (reason in
        ('by_requester', 'by_owner', 'by_party', 'countered', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'deadline', 'party_banned', 'party_left'));
    create unique index exchanges_rounds on exchanges (thread_id, round);
    comment on column exchanges.consent_by is
      'until when the people of a ring, or whoever got a counter-offer, have to agree';
    comment on column exchanges.replaces_id is 'the proposal that this one answers';
    comment on column exchanges.thread_id is
      'the first round, whose messages all rounds share; like round, filled by a trigger'`.execute(db);

  await sql`
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
