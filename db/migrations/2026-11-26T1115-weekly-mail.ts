import { type Kysely, sql } from 'kysely';

const OLD = `'exchange_request', 'exchange_accepted', 'exchange_rejected', 'exchange_completed', 'message', 'want', 'match', 'other'`;

/** The weekly mail: a kind of news that has mails only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notification_preferences drop constraint notification_preferences_type_check,
      add constraint notification_preferences_type_check check (type in (${sql.raw(OLD)}, 'weekly'));
    alter table mail_outbox drop constraint mail_outbox_type_check,
      add constraint mail_outbox_type_check check (type in (${sql.raw(OLD)}, 'weekly'));
    alter table users add column weekly_mail_at timestamptz;
    comment on column users.weekly_mail_at is 'when the weekly mail was last considered, sent or not';
    create index want_notifications_user on want_notifications (user_id, notified_at)`.execute(db);
}
