import { type Kysely, sql } from 'kysely';

/** A banned person can only be signed in by the mailed link with which they defend what is theirs (decisions 5.2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add column is_defence boolean not null default false;
    comment on column sessions.is_defence is 'opened by the mailed link of a banned person; valid only while they are banned'
  `.execute(db);
}
