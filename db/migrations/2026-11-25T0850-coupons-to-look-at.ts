import { type Kysely, sql } from 'kysely';

/**
 * A coupon waits for a moderator while codes of its merchant are being guessed, and is hidden like one of a banned person
 * (decisions 2.5). What is not listed is not compared with the listed codes, so that its owner learns nothing about them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupons
      add column waiting_since timestamptz,
      add constraint coupons_waiting_hidden check (waiting_since is null or not is_active);
    comment on column coupons.waiting_since is 'since when it waits for a moderator, before anybody else sees it';
    comment on column coupons.is_hidden_by_ban is
      'hidden while its owner is banned or has no confirmed address, or until a moderator has looked at it';
    create index coupons_waiting on coupons (waiting_since, id) where waiting_since is not null;

    create or replace function hide_coupons_of_barred() returns trigger language plpgsql as $$
    declare
      is_barred boolean;
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        new.is_hidden_by_ban := false;
      end if;
      if new.is_active then
        -- Locked whatever the status: one that is about to change is waited for.
        select status = 'banned' or deleted_at is not null or email_verified_at is null into is_barred
          from users where id = new.owner_id for key share;
        new.is_hidden_by_ban := coalesce(is_barred, false) or new.waiting_since is not null;
        new.is_active := not new.is_hidden_by_ban;
      end if;
      return new;
    end $$;
    drop trigger coupons_of_barred on coupons;
    create trigger coupons_of_barred before insert or update of is_active, owner_id, waiting_since on coupons
      for each row execute function hide_coupons_of_barred()`.execute(db);
}
