import { type Kysely, sql } from 'kysely';

/** Moderators are reminded once of a claim that is open for long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_claims add column reminded_at timestamptz`.execute(db);
}
