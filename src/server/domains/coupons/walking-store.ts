import { type RawBuilder, sql } from 'kysely';
import type { Found, SortKey } from './matching-store.ts';
import type { Condition } from './search-store.ts';

/** A row of a list, before its coupon is read. */
export interface Place {
  readonly id: number;
  readonly sortKey: SortKey;
}

/**
 * The first rows of a list that meet what no index has in its order. What is common is soon met on a walk in that order,
 * unless it goes with the order: all coupons of a season can be old, or all of a kind cheap. The walk therefore ends
 * after some rows; if it has not found enough by then, all that match are collected, by the indexes of what is asked.
 * One statement: PostgreSQL reads only as much of each part as is needed.
 * @param parts of the list, one after the other; none: the whole
 * @param order of the rows; without one, in any
 * @param bounds the number of rows that are wanted, and of those that the walk may read for them
 * @returns at least the first `wanted` rows, in any order
 */
export function walk(
  { from, asks }: Found,
  order: { readonly key: RawBuilder<SortKey>; readonly direction: 'asc' | 'desc' } | null,
  parts: readonly Condition[],
  bounds: { readonly wanted: number; readonly reach: number },
): RawBuilder<Place> {
  const { wanted, reach } = bounds;
  const all = sql.join(asks, sql` and `);
  const key = order?.key ?? sql`null`;
  const direction = sql.raw(order?.direction ?? '');
  const inOrder = order ? sql`order by ${key} ${direction}, id ${direction}` : sql``;
  const walks = (parts.length > 0 ? parts : [sql`true`]).map((part, at) => ({
    part,
    walked: sql.raw(`walked_${at}`),
    met: sql.raw(`met_${at}`),
  }));
  const reads = walks.map(
    ({ part, walked, met }) => sql`
      ${walked} as materialized (
        select id, ${key} as sort_key, ${all} as is_met from ${from} as coupons where ${part} ${inOrder} limit ${reach}
      ), ${met} as materialized (select id, sort_key from ${walked} where is_met limit ${wanted})`,
  );
  // A part is done if it has enough rows; if it has fewer and was read to its end, the next one goes on.
  const isDone = walks.reduceRight(
    (rest, { walked, met }) => sql`((select count(*) from ${met}) = ${wanted}
      or (select count(*) from ${walked}) < ${reach} and ${rest})`,
    sql`true`,
  );
  return sql`(
    with ${sql.join(reads)}, done as materialized (select ${isDone} as is_done),
      collected as materialized (
        select id, ${key} as sort_key from ${from} as coupons where ${all} and (${sql.join(
          walks.map(({ part }) => part),
          sql` or `,
        )})
      )
    ${sql.join(
      walks.map(({ met }) => sql`select id, sort_key from ${met} where (select is_done from done)`),
      sql` union all `,
    )}
    union all select id, sort_key from collected where not (select is_done from done))`;
}
