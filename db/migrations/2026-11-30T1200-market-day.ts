import { type Kysely, sql } from 'kysely';

/**
 * Market day: once a day, coupons and wishes whose people have agreed beforehand are traded in the best possible way. The
 * table `market_days` is older, and counts what the finder suggests each night.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table want_consents (
      want_id integer primary key references wants (id) on delete cascade,
      min_value integer constraint want_consents_min_value check (min_value > 0),
      min_health integer not null constraint want_consents_min_health check (min_health between 0 and 100),
      times integer not null constraint want_consents_times check (times between 1 and 10),
      until date not null,
      created_at timestamptz not null
    );
    comment on table want_consents is 'wishes that may be fulfilled on market day without asking';
    comment on column want_consents.min_value is 'hundredths: coupons of less are not taken; null: any';
    comment on column want_consents.times is 'how often it may be fulfilled on one day';
    comment on column want_consents.until is 'the last market day';

    create table coupon_consents (
      coupon_id integer primary key references coupons (id) on delete cascade,
      owner_id integer not null references users (id),
      min_value integer constraint coupon_consents_min_value check (min_value > 0),
      until date not null,
      created_at timestamptz not null
    );
    comment on table coupon_consents is 'coupons that may be given on market day without asking';
    comment on column coupon_consents.min_value is 'hundredths: given only for wishes that take nothing of less; null: any';
    create index coupon_consents_owner on coupon_consents (owner_id);

    create function end_coupon_consent() returns trigger language plpgsql as $$
    begin
      delete from coupon_consents where coupon_id = new.id;
      return null;
    end $$;
    create trigger coupons_consent_ends after update of owner_id on coupons
      for each row when (new.owner_id <> old.owner_id) execute function end_coupon_consent();

    create table market_day_runs (
      day date primary key,
      at timestamptz not null,
      state text not null default 'planned' constraint market_day_runs_state check (state in
        ('planned', 'checked', 'trading', 'done', 'missed')),
      seed text not null constraint market_day_runs_seed check (seed ~ '^[0-9a-f]{64}$'),
      people integer constraint market_day_runs_people check (people >= 0),
      coupons integer constraint market_day_runs_coupons check (coupons >= 0),
      traded integer constraint market_day_runs_traded check (traded >= 0),
      certificate_hash text,
      forecast integer[] not null default '{}',
      forecast_at timestamptz,
      ended_at timestamptz,
      constraint market_day_runs_ended check ((ended_at is not null) = (state in ('done', 'missed')))
    );
    comment on column market_day_runs.seed is 'in hex: decides between equals; its hash is published a day before';
    comment on column market_day_runs.people is 'how many have taken part';
    comment on column market_day_runs.coupons is 'how many coupons could have changed hands';
    comment on column market_day_runs.traded is 'how many coupons have changed hands';
    comment on column market_day_runs.certificate_hash is 'SHA-256, in hex, of what is published of the day';
    comment on column market_day_runs.forecast is 'the coupons that would change hands if it were now';

    create table market_day_rounds (
      day date not null references market_day_runs (day),
      round integer not null check (round between 1 and 3),
      graph jsonb not null,
      solution jsonb,
      primary key (day, round)
    );
    comment on table market_day_rounds is 'what could be traded, under random numbers of that day, and what was the best';

    create table market_day_rings (
      day date not null,
      round integer not null,
      place integer not null,
      trades jsonb not null,
      outcome text constraint market_day_rings_outcome check (outcome in ('traded', 'dropped')),
      exchange_id integer unique references exchanges (id),
      primary key (day, round, place),
      foreign key (day, round) references market_day_rounds,
      constraint market_day_rings_traded check ((outcome is not distinct from 'traded') = (exchange_id is not null))
    );

    create table market_day_numbers (
      day date not null references market_day_runs (day),
      kind text not null check (kind in ('person', 'coupon', 'wish')),
      number integer not null,
      user_id integer not null references users (id),
      subject_id integer not null,
      coupon_updated_at timestamptz,
      primary key (day, kind, number),
      unique (day, kind, subject_id)
    );
    comment on table market_day_numbers is 'whose the numbers of a day are: nobody but the person learns it';
    comment on column market_day_numbers.subject_id is 'the person, coupon or want';
    create index market_day_numbers_user on market_day_numbers (user_id, day);

    alter table exchanges add column market_day date references market_day_runs (day);
    comment on column exchanges.market_day is 'the market day that made it; its people had agreed beforehand';

    create or replace function check_exchange() returns trigger language plpgsql as $$
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
        or checked.kind = 'ring' and checked.market_day is null and (people not between 3 and 6 or legs <> people)
        or checked.kind = 'ring' and checked.market_day is not null and (people < 3 or legs < people) then
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
    end $$`.execute(db);
}
