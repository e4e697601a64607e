import { type Kysely, sql } from 'kysely';

/** Notifications and histories quote whole reasons, of up to 1,000 characters, within a sentence. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      drop constraint notifications_content_check,
      add constraint notifications_content_check check (length(content) between 1 and 2000);
    alter table transaction_logs
      drop constraint transaction_logs_details_check,
      add constraint transaction_logs_details_check check (length(details) <= 2000)`.execute(db);
}
