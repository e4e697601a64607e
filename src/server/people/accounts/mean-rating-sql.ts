import { type RawBuilder, sql } from 'kysely';

/**
 * The mean of the visible ratings that count for a person, with one decimal; null: none yet. Whatever is said of a person's
 * ratings without counting them is said by it.
 * @param person `users`, or its alias
 */
export const meanRating = (person: string): RawBuilder<number | null> =>
  sql<
    number | null
  >`round(${sql.ref(`${person}.totalRating`)}::numeric / nullif(${sql.ref(`${person}.ratingCount`)}, 0), 1)::float8`;
