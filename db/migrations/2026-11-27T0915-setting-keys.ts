import { type Kysely, sql } from 'kysely';

/** The keys of the services that settings name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table setting_keys (
      id uuid primary key,
      bound_to text not null check (length(bound_to) = 64),
      sealed bytea not null,
      created_at timestamptz not null
    );
    comment on table setting_keys is 'a setting names the id of its key: the history of settings shows none';
    comment on column setting_keys.bound_to is 'a hash of what the key was typed for: it opens for nothing else'`.execute(
    db,
  );
}
