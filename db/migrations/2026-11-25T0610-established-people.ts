import { type Kysely, sql } from 'kysely';

/** Who has dealt with enough people need not be counted again (decisions 3.16). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column established_at timestamptz;
    comment on column users.established_at is
      'when enough deals had gone well: the limit of open deals of new people no longer applies';
    update users set established_at = now() where successful_exchanges + accepted_bids >= 5`.execute(db);
}
