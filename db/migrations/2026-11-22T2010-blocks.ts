import { type Kysely, sql } from 'kysely';

/** Who does not want to deal with whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_blocks (
      blocker_id integer not null references users (id),
      blocked_id integer not null references users (id),
      created_at timestamptz(3) not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    );
    create index user_blocks_blocked on user_blocks (blocked_id)`.execute(db);
}
