import { type Kysely, sql } from 'kysely';

/** What the database itself keeps true of who was banned or has left, and what the health page reads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever lists a coupon in the moment in which its owner is banned, and whichever payment brings a coupon to
  // somebody banned, finds it hidden. `for key share` waits for a ban that is being written down (its lock is
  // `for update`) and for nothing else: a foreign key takes the same lock.
  await sql`
    create function hide_coupons_of_barred() returns trigger language plpgsql as $$
    declare
      is_barred boolean;
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        new.is_hidden_by_ban := false;
      end if;
      if new.is_active then
        -- Locked whatever the status: one that is about to change is waited for.
        select status = 'banned' or deleted_at is not null into is_barred
          from users where id = new.owner_id for key share;
        new.is_hidden_by_ban := coalesce(is_barred, false);
        new.is_active := not new.is_hidden_by_ban;
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger coupons_of_barred before insert or update of is_active, owner_id on coupons
    for each row execute function hide_coupons_of_barred()`.execute(db);

  await sql`create index users_banned on users (id) where status = 'banned'`.execute(db);
  await sql`create index users_deleted on users (id) where deleted_at is not null`.execute(db);
  await sql`create index coupons_owner_listed on coupons (owner_id, id) where is_active`.execute(db);

  await sql`alter table job_runs add column cron text not null check (length(cron) between 9 and 60)`.execute(
    db,
  );
  await sql`alter table job_runs alter column started_at drop not null`.execute(db);
  await sql`create index webhook_events_received on webhook_events (provider, received_at)`.execute(db);
  await sql`create index mail_outbox_sent on mail_outbox (sent_at) where sent_at is not null`.execute(db);
  await sql`create index mail_outbox_failed on mail_outbox (failed_at) where failed_at is not null`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index mail_outbox_sent, mail_outbox_failed, webhook_events_received`.execute(db);
  await sql`delete from job_runs where started_at is null`.execute(db);
  await sql`alter table job_runs drop column cron, alter column started_at set not null`.execute(db);
  await sql`drop index coupons_owner_listed, users_deleted, users_banned`.execute(db);
  await sql`drop trigger coupons_of_barred on coupons`.execute(db);
  await sql`drop function hide_coupons_of_barred`.execute(db);
}
