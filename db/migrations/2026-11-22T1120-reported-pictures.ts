import { type Kysely, sql } from 'kysely';

/** The picture that a report names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table user_reports add column picture_id text;
    comment on column user_reports.picture_id is 'no foreign key: pictures are removed, reports are kept'`.execute(
    db,
  );
}
