import { type Kysely, sql } from 'kysely';

/** An exchange becomes a set of legs and a set of parties (docs/legs.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exchanges
      add column kind text not null default 'swap' check (kind in ('swap', 'ring')),
      add column version integer not null default 1,
      add column consent_by timestamptz,
      add column ended_by_id integer references users (id),
      add constraint exchanges_consent_timed check ((kind = 'ring') = (consent_by is not null)),
      add constraint exchanges_ended_by_person check (ended_by_id is null or
        status in ('rejected', 'cancelled') and reason in ('by_requester', 'by_owner', 'by_party')),
      add constraint exchanges_party_named check (reason <> 'by_party' or ended_by_id is not null),
      drop constraint exchanges_reason_check,
      add constraint exchanges_reason_check check (reason in
        ('by_requester', 'by_owner', 'by_party', 'rival_completed', 'coupon_deleted', 'coupon_changed',
         'coupon_expired', 'deadline', 'party_banned', 'party_left'));
    comment on column exchanges.requester_id is 'who proposed it';
    comment on column exchanges.version is 'goes up when its legs change';
    comment on column exchanges.consent_by is 'until when all people of a ring have to agree';
    comment on column exchanges.ended_by_id is 'whose act ended it, if a person''s did';
    create index exchanges_consent_due on exchanges (consent_by) where status = 'pending'`.execute(db);

  await sql`
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
    create table exchange_legs (
      exchange_id integer not null references exchanges (id),
      place integer not null check (place between 1 and 20),
      coupon_id integer not null references coupons (id),
      giver_id integer not null,
      receiver_id integer not null,
      status text not null,
      is_asked boolean not null,
      primary key (exchange_id, coupon_id),
      constraint exchange_legs_place unique (exchange_id, place),
      constraint exchange_legs_two_people check (giver_id <> receiver_id),
      constraint exchange_legs_giver foreign key (exchange_id, giver_id) references exchange_parties,
      constraint exchange_legs_receiver foreign key (exchange_id, receiver_id) references exchange_parties
    );
    comment on column exchange_legs.status is 'like is_asked: copied from the exchange by triggers, for the indexes';
    comment on column exchange_legs.is_asked is 'a coupon that the author of a swap asks for'`.execute(db);

  await sql`
    insert into exchange_parties (exchange_id, user_id, consented_at, is_author, status, created_at, updated_at)
    select id, requester_id, created_at, true, status, created_at, updated_at from exchanges
    union all
    select id, owner_id, accepted_at, false, status, created_at, updated_at from exchanges;
    insert into exchange_legs (exchange_id, place, coupon_id, giver_id, receiver_id, status, is_asked)
    select id, 1, requested_coupon_id, owner_id, requester_id, status, true from exchanges
    union all
    select id, 2, offered_coupon_id, requester_id, owner_id, status, false from exchanges;
    alter table exchanges drop column owner_id, drop column requested_coupon_id, drop column offered_coupon_id;
    drop index exchanges_requester, exchanges_requester_updated`.execute(db);

  await sql`
    -- One pending request per person and coupon.
    create unique index exchanges_one_pending on exchange_legs (receiver_id, coupon_id)
      where is_asked and status = 'pending';
    create index exchange_legs_open on exchange_legs (coupon_id) where status in ('pending', 'accepted');
    create index exchange_legs_coupon on exchange_legs (coupon_id, exchange_id);
    create index exchange_legs_completed on exchange_legs (receiver_id) where status = 'completed';
    create index exchange_parties_created on exchange_parties (user_id, created_at desc, exchange_id desc);
    create index exchange_parties_side on exchange_parties (user_id, is_author, created_at desc, exchange_id desc);
    create index exchange_parties_updated on exchange_parties (user_id, updated_at desc, exchange_id desc);
    create index exchange_parties_open on exchange_parties (user_id) where status in ('pending', 'accepted');
    create index exchange_parties_completed on exchange_parties (user_id) where status = 'completed'`.execute(
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

    create function copy_exchange_state() returns trigger language plpgsql as $$
    begin
      update exchange_parties set status = new.status, updated_at = new.updated_at where exchange_id = new.id;
      if new.status <> old.status then
        update exchange_legs set status = new.status where exchange_id = new.id;
      end if;
      return null;
    end $$;
    create trigger exchanges_copied after update of status, updated_at on exchanges
      for each row execute function copy_exchange_state()`.execute(db);

  // At the end of each transaction: a sound deal gives every party something for something.
  await sql`
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
      if checked.kind = 'swap' and people <> 2 or checked.kind = 'ring' and (people not in (3, 4) or legs <> people) then
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

  // A message in a ring goes to everybody else in it: it has no receiver but a receipt for each.
  await sql`
    alter table messages alter column receiver_id drop not null;
    create table message_receipts (
      message_id integer not null references messages (id),
      user_id integer not null references users (id),
      exchange_id integer not null references exchanges (id),
      is_read boolean not null default false,
      primary key (message_id, user_id)
    );
    create index message_receipts_unread on message_receipts (user_id, exchange_id) where not is_read;
    comment on column messages.receiver_id is 'null in a ring: message_receipts has a row for each other person';
    alter table user_ratings
      drop constraint user_ratings_once,
      add constraint user_ratings_once unique (related_entity_type, related_entity_id, rater_id, rated_user_id)`.execute(
    db,
  );
}
