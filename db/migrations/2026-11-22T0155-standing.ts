import { type Kysely, sql } from 'kysely';

/** Why a person's status is what it is, and when a suspension ends by itself (null: when somebody lifts it). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column status_reason text check (length(status_reason) <= 1000),
      add column status_until timestamptz,
      add constraint users_only_suspensions_end check (status_until is null or status = 'suspended');
    create index users_suspensions_end on users (status_until) where status_until is not null`.execute(db);
}
