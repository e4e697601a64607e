import { type Kysely, sql } from 'kysely';

/** A ring may have up to six people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    end $$`.execute(db);
}
