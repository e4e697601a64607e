import { type Kysely, sql } from 'kysely';

/**
 * Counts of attempts need not outlive a crash of the database, or reach a standby. Without the log nobody waits for the disk
 * before an answer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rate_limits set unlogged`.execute(db);
}
