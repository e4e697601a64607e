import { type Kysely, sql } from 'kysely';

/** Whether a report comes from somebody without any deal with the person: it counts once a moderator finds it right. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table user_reports add column is_of_stranger boolean not null default false;
    comment on column user_reports.is_of_stranger is 'no deal or message between the two, when it was written';
    comment on column users.report_count is
      'reports by people who had dealt with them, and those of strangers that a moderator found right'`.execute(
    db,
  );
}
