import { type Kysely, sql } from 'kysely';

/** Keys that outlive a change of SECRET_KEY, sealed under it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vault_keys (
      name text primary key,
      sealed bytea not null
    )`.execute(db);
  await sql`comment on table vault_keys is 'keys that outlive a change of SECRET_KEY, sealed under it'`.execute(
    db,
  );
}
