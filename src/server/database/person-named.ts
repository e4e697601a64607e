import { type RawBuilder, sql } from 'kysely';

/** The id of the person with this whole username, however it is written; null where there is none. */
export function personNamed(username: string): RawBuilder<number> {
  return sql<number>`(select id from users where lower(username collate "C") = ${username.toLowerCase()})`;
}
