import { type RawBuilder, sql } from 'kysely';

/** Locks people in id order, so that two deals of the same pair cannot deadlock. To be updated in the same statement. */
export function lockedPeople(userIds: readonly number[]): RawBuilder<unknown> {
  return sql`locked as materialized (
    select id from users where id = any(${[...userIds]}::integer[]) order by id for no key update)`;
}
