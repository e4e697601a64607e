import { type RawBuilder, sql } from 'kysely';
import type { CouponSort } from '#contract/coupon-facts.ts';
import { type Found, inOrder, KEYS, type SortKey, type Walked } from './matching-store.ts';
import type { Condition } from './search-store.ts';

/** A row of a list, before its coupon is read. */
export interface Place {
  readonly id: number;
  readonly sortKey: SortKey;
}

interface Walk {
  /** What `first` reads from, for a `with`: walked once, however often it is asked. */
  readonly ctes: RawBuilder<unknown>;
  /** At least the first `count` rows, of those that are wanted, in any order. */
  first(count: number): RawBuilder<Place>;
}

/**
 * The first rows of a list that meet what no index has in its order. What is common is soon met on a walk in that order,
 * unless it goes with the order: all coupons of a season can be old, or all of a kind cheap. The walk therefore ends
 * after some rows; if it has not found enough by then, all that match are collected, by the indexes of what is asked.
 * One statement: PostgreSQL reads only as much of each part as is needed.
 * @param walked what the rows of `from` must meet
 * @param parts of the list, one after the other; none: the whole
 * @param wanted the number of rows that are wanted at most
 */
export function walk(
  { from, lead }: Pick<Found, 'from' | 'lead'>,
  { asks, reach, all }: Walked,
  { sort, direction: towards }: { readonly sort: CouponSort; readonly direction: 'asc' | 'desc' },
  parts: readonly Condition[],
  wanted: number,
): Walk {
  const { key } = KEYS[sort];
  const direction = sql.raw(towards);
  const order = inOrder(sort, towards, lead);
  const walks = (parts.length > 0 ? parts : [sql`true`]).map((part, at) => ({
    part,
    walked: sql.raw(`walked_${at}`),
    met: sql.raw(`met_${at}`),
  }));
  const reads = walks.map(
    ({ part, walked, met }) => sql`
      ${walked} as materialized (
        select id, ${key} as sort_key, ${sql.join(asks, sql` and `)} as is_met from ${from} as coupons where ${part}
        ${order} limit ${reach}
      ), ${met} as materialized (select id, sort_key from ${walked} where is_met limit ${wanted})`,
  );
  // The offset keeps the order out of the choice of the index.
  const ctes = sql`${sql.join(reads)}, collected as materialized (
      select id, sort_key from (
        select id, ${key} as sort_key from ${all} as coupons where ${sql.join(
          walks.map(({ part }) => part),
          sql` or `,
        )} offset 0) as every
      order by sort_key ${direction}, id ${direction} limit ${wanted}
    )`;
  return {
    ctes,
    first(count) {
      // A part is done if it has enough rows; if it has fewer and was read to its end, the next one goes on.
      const isDone = walks.reduceRight(
        (
          rest,
          { walked, met },
        ) => sql`((select count(*) from (select from ${met} limit ${count}) as enough) = ${count}
          or (select count(*) from ${walked}) < ${reach} and ${rest})`,
        sql`true`,
      );
      return sql`(
        with done as materialized (select ${isDone} as is_done)
        ${sql.join(
          walks.map(({ met }) => sql`select id, sort_key from ${met} where (select is_done from done)`),
          sql` union all `,
        )}
        union all select id, sort_key from collected where not (select is_done from done))`;
    },
  };
}
