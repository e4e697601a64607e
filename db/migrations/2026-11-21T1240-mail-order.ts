import { type Kysely, sql } from 'kysely';

/** News of one conversation comes once until it is read, and somebody who waits for a link is not behind news. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index notifications_unread_message on notifications (user_id, link)
    where type = 'message' and not is_read`.execute(db);

  // Who wants the mail without the notification has no unread one to go by.
  await sql`alter table mail_outbox add column until_read boolean not null default false`.execute(db);
  await sql`comment on column mail_outbox.until_read is 'of a conversation not opened since: no second mail of it goes'`.execute(
    db,
  );
  await sql`create unique index mail_outbox_until_read on mail_outbox (user_id, link) where until_read`.execute(
    db,
  );

  await sql`drop index mail_outbox_waiting`.execute(db);
  await sql`
    create index mail_outbox_waiting on mail_outbox ((kind = 'notification'), next_try_at)
    where sent_at is null and failed_at is null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index notifications_unread_message, mail_outbox_waiting`.execute(db);
  await sql`alter table mail_outbox drop column until_read`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (next_try_at) where sent_at is null and failed_at is null`.execute(
    db,
  );
}
