import { type Kysely, sql } from 'kysely';

/** Owners mark coupons as used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table coupons
      add column used_at timestamptz,
      add column was_listed boolean not null default false,
      add constraint coupons_used_inactive check (used_at is null or not is_active),
      add constraint coupons_was_listed check (used_at is not null or not was_listed);
    comment on column coupons.used_at is 'when its owner marked it as used';
    comment on column coupons.was_listed is 'before it was used; undoing that lists it again';
    -- Deleted ones too: they count in what their owner saved.
    create index coupons_used on coupons (owner_id, used_at) where used_at is not null;

    -- As before, and a used coupon stays unlisted, whatever ends: a ban, a wait, an unconfirmed address.
    create or replace function withhold_coupons() returns trigger language plpgsql as $$
    declare
      is_barred boolean;
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        new.is_withheld := false;
        new.used_at := null;
        new.was_listed := false;
      end if;
      new.is_active := new.is_active and new.used_at is null;
      if new.is_active then
        -- Locked whatever the status: one that is about to change is waited for.
        select status = 'banned' or deleted_at is not null or email_verified_at is null into is_barred
          from users where id = new.owner_id for key share;
        new.is_withheld := coalesce(is_barred, false) or new.waiting_since is not null;
        new.is_active := not new.is_withheld;
      end if;
      return new;
    end $$`.execute(db);
}
