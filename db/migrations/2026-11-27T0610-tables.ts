import { type Kysely, sql } from 'kysely';

/** The orders and filters of the admins' tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index users_joined on users (created_at, id);
    create index users_reported on users (report_count, id);
    -- Few are: a walk through all people would be long.
    create index users_staff on users (role, created_at, id) where role <> 'user';
    create index audit_log_date on audit_log (created_at, id);
    create index audit_log_actor on audit_log (actor_id, id);
    create index audit_log_action on audit_log (action, created_at, id);
    create index payments_amount on payment_transactions (amount, id) where paid_at is not null;
    create index user_reports_reporter on user_reports (reporter_id, id);
  `.execute(db);
}
