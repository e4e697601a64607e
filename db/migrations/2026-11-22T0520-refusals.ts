import { type Kysely, sql } from 'kysely';

/**
 * What people were refused, counted per hour, kind, account, address and call. An empty address and call stand for
 * those above the bound of an hour.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refusals (
      id integer generated always as identity primary key,
      hour timestamptz not null,
      kind text not null check (kind in ('forbidden', 'sign_in', 'second_factor', 'password', 'link', 'origin', 'limit')),
      user_id integer references users (id) on delete cascade,
      address text not null,
      call text not null,
      count integer not null check (count > 0),
      last_at timestamptz not null,
      unique nulls not distinct (hour, kind, user_id, address, call)
    );
    create index refusals_latest on refusals (last_at desc, id desc);
    create index refusals_user on refusals (user_id) where user_id is not null`.execute(db);
}
