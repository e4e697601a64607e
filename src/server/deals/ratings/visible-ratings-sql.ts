import { type RawBuilder, sql } from 'kysely';

/**
 * Per rated person, how many ratings that count are visible at a time, their sum, and when the last became visible. The
 * latest of each rater does: it is what they think of the other now.
 */
export function visibleRatings(userIds: readonly number[], at: Date): RawBuilder<unknown> {
  return sql`
    select user_id, count(*)::integer as found, sum(rating)::integer as total, max(visible_at) as reached_at
    from (
      select distinct on (rated_user_id, rater_id) rated_user_id as user_id, rating, visible_at
      from counted_ratings where visible_at <= ${at} and ${among('rated_user_id', userIds)}
      order by rated_user_id, rater_id, id desc) as latest
    group by user_id`;
}

/** Restricts rows to these people, by the column's index. */
export function among(column: string, userIds: readonly number[]): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = any(${[...userIds]}::integer[])`;
}
