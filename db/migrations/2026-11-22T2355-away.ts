import { type Kysely, sql } from 'kysely';

/** People say when they are away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column away_since timestamptz(3),
      add column away_until date,
      add constraint users_away check ((away_since is null) = (away_until is null));
    comment on column users.away_until is 'the day of return; also after it, as deadlines of that time run on from it';
    drop trigger users_queue_for_matches on users;
    create trigger users_queue_for_matches after update of status, deleted_at, away_until on users
      for each row when (
        (new.status, new.deleted_at, new.away_until) is distinct from (old.status, old.deleted_at, old.away_until))
      execute function queue_row_for_matches()`.execute(db);
}
