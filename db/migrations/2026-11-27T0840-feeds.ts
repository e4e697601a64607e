import { type Kysely, sql } from 'kysely';

/** When a feed was last tried, and whether admins have set it up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feeds add column tried_at timestamptz, add column is_own boolean not null default false;
    comment on column feeds.tried_at is 'null: to be read at once';
    comment on column feeds.is_own is 'set up by an admin: its offers go with it';
    update feeds set tried_at = fetched_at`.execute(db);
}
