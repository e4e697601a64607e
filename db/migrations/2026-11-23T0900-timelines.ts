import { type Kysely, sql } from 'kysely';

/** The timelines on which this database has been the primary: a replica that lacks the latest has another log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table timelines (
      system text,
      timeline integer,
      primary key (system, timeline)
    );
    comment on table timelines is 'the timelines on which this database has been the primary';
    comment on column timelines.system is 'the identifier of its server'`.execute(db);
}
