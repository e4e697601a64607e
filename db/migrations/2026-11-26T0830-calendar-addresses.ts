import { type Kysely, sql } from 'kysely';

/** The private addresses at which calendars read the last days of a person's coupons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table calendar_addresses (
      user_id integer primary key references users (id),
      key uuid not null,
      token_hash text not null unique check (length(token_hash) = 64),
      created_at timestamptz not null
    );
    comment on column calendar_addresses.key is 'the token is its keyed hash: nobody can make it from the database alone';
    comment on column calendar_addresses.token_hash is 'SHA-256'`.execute(db);
}
