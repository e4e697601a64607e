import { type Kysely, sql } from 'kysely';

/** Coupons are hidden until their owner's address is confirmed, as a ban hides them (decisions 3.16). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    comment on column coupons.is_hidden_by_ban is
      'taken off the lists while its owner is banned or has no confirmed address; listed again afterwards';

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
        new.is_hidden_by_ban := coalesce(is_barred, false);
        new.is_active := not new.is_hidden_by_ban;
      end if;
      return new;
    end $$;

    -- At once, since whoever confirms the address wants to deal now.
    create function list_coupons_of_confirmed() returns trigger language plpgsql as $$
    declare
      hidden_id integer;
    begin
      for hidden_id in
        select id from coupons where owner_id = new.id and is_hidden_by_ban order by id for no key update
      loop
        begin
          update coupons set is_active = true, is_hidden_by_ban = false where id = hidden_id;
        exception when unique_violation then
          -- Somebody else has listed the code: it stays unlisted, as after a ban.
          update coupons set is_hidden_by_ban = false where id = hidden_id;
        end;
      end loop;
      return null;
    end $$;
    create trigger coupons_of_confirmed after update of email_verified_at on users for each row
      when (old.email_verified_at is null and new.email_verified_at is not null and new.status <> 'banned')
      execute function list_coupons_of_confirmed();

    -- What is part of an accepted deal stays: both have agreed.
    update coupons set is_active = false, is_hidden_by_ban = true
    from users
    where users.id = owner_id and is_active and email_verified_at is null and users.deleted_at is null
      and not exists (select from coupon_reservations where coupon_id = coupons.id)`.execute(db);
}
