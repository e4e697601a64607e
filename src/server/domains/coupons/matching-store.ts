import { type AliasableExpression, type RawBuilder, type Selectable, sql } from 'kysely';
import { type CouponSort, SHORT_SEARCH_REACH, type StoredCategory } from '#contract/coupon-facts.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { likePattern } from '#server/database/like-pattern.ts';
import type { KeyType } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { ASKS, HIGH_RANK, HIGHEST, LAST_DAY } from '../coupon-filter.ts';
import {
  type Condition,
  estimate,
  isFew,
  isOf,
  isShort,
  type LookedUp,
  mentions,
  type SearchTexts,
} from './search-store.ts';

/** Rows of a walk: to collect what matches soon costs less than to go on. */
const MOST_REACH = 4_000;

const LOW_RANK = sql<number>`(case when discount_type = 'fixed' then -value else -2147483647 end)`;

export type SortKey = Date | string | number;

/** Each order matches its index; ids break ties in the direction of the key. */
export const KEYS: Record<
  CouponSort,
  { key: RawBuilder<SortKey>; type: KeyType; direction: 'asc' | 'desc' }
> = {
  newest: { key: sql`created_at`, type: 'timestamptz', direction: 'desc' },
  oldest: { key: sql`created_at`, type: 'timestamptz', direction: 'asc' },
  'value-high': { key: HIGH_RANK, type: 'integer', direction: 'desc' },
  'value-low': { key: LOW_RANK, type: 'integer', direction: 'desc' },
  expiry: { key: LAST_DAY, type: 'date', direction: 'asc' },
};

/** Filters for live coupons. */
export interface CouponFilter extends SearchTexts {
  /** The current day, `YYYY-MM-DD`: coupons whose last day is earlier are not live. */
  readonly today: string;
  readonly sort: CouponSort;
  readonly category: StoredCategory | undefined;
  /** In cents; setting either leaves out percentages. */
  readonly minValue: number | undefined;
  readonly maxValue: number | undefined;
  /** ISO 3166-1 alpha-2: what a search finds for it comes first; null: none is preferred. */
  readonly country: string | null;
  /** The latest expiry day; setting it leaves out coupons that never expire. */
  readonly expiresBy: string | undefined;
  /** The people whose coupons are left out. */
  readonly blockedIds: readonly number[];
}

/** A list is in one of these orders; a count by itself takes rows as they come. */
export type Order = CouponSort | 'counted';

/** The coupons of a list. */
export interface Found {
  /** What an index has in the order of the list, or so few that they can be sorted. */
  readonly from: AliasableExpression<Selectable<DB['coupons']>>;
  /** What else they must meet: a walk in that order passes over all others. */
  readonly asks: readonly Condition[];
  /** How many rows such a walk reads before it gives up. */
  readonly reach: number;
}

/** How many match, for a number of rows that are wanted. */
export interface Narrowed {
  /** What leaves few coupons, if anything is known to; null: so many match that a walk soon meets enough. */
  readonly few: readonly Condition[] | null;
  readonly reach: number;
}

export function live(db: Database | Trx, today: string) {
  // Not a parameter: a plan for all values could not use the indexes of active coupons.
  return db.selectFrom('coupons').selectAll().where(sql<boolean>`is_active`).where(LAST_DAY, '>=', today);
}

/**
 * What a filter asks of a live coupon: what the index of an order finds, and what it does not.
 * @param merchants the names that the filter's merchant stands for, where they are known
 */
function asksOf(
  { category, merchant, search, minValue, maxValue, expiresBy, blockedIds }: CouponFilter,
  merchants: readonly string[] | null,
  order: Order,
): { readonly indexed: readonly Condition[]; readonly others: readonly Condition[] } {
  const [low, high] = [minValue ?? 0, maxValue ?? HIGHEST];
  const isByTime = order === 'newest' || order === 'oldest';
  const isByValue = order === 'value-high' || order === 'value-low';
  const isByName = order === 'counted' ? merchants !== null : isByTime && merchants?.length === 1;
  const indexed: Condition[] = [];
  const others: Condition[] = [];
  // Whoever blocks people passes over what those have, in any order.
  if (blockedIds.length > 0) indexed.push(sql`owner_id <> all(${blockedIds}::integer[])`);
  if (merchants !== null) (isByName ? indexed : others).push(isOf(merchants));
  if (category !== undefined) (isByName ? others : indexed).push(ASKS.category(sql.val(category)));
  if (expiresBy !== undefined) {
    const isIndexed = !isByName && !isByTime && !isByValue;
    (isIndexed ? indexed : others).push(ASKS.lastDay(sql.val(expiresBy)));
  }
  if (minValue !== undefined || maxValue !== undefined) {
    // As a range of the rank that this order uses; the ranks of percentages are outside every range.
    const range =
      order === 'value-low'
        ? sql<boolean>`${LOW_RANK} between ${-high} and ${-low}`
        : ASKS.value(sql.val(low), sql.val(high));
    (isByValue ? indexed : others).push(range);
  }
  // The search text contains the merchant: its index narrows the rows, the name decides.
  if (merchant !== '' && merchants === null)
    others.push(mentions(merchant), ASKS.merchant(sql.val(likePattern(merchant))));
  if (search !== '') others.push(mentions(search));
  return { indexed, others };
}

/**
 * The coupons that match a filter, for a list in an order.
 * @param merchants the names that the filter's merchant stands for, where they are known
 */
export function matching(
  db: Database | Trx,
  filter: CouponFilter,
  merchants: readonly string[] | null,
  order: Order,
  { few, reach }: Narrowed,
): Found {
  const { indexed, others } = asksOf(filter, merchants, order);
  const all = live(db, filter.today);
  const those = (source: typeof all, asks: readonly Condition[]) =>
    asks.reduce((met, condition) => met.where(condition), source);
  if (isShort(filter)) {
    const newest = all.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(SHORT_SEARCH_REACH);
    return {
      from: those(db.selectFrom(newest.as('coupons')).selectAll(), [...indexed, ...others]),
      asks: [],
      reach,
    };
  }
  if (few === null || others.length === 0) return { from: those(all, indexed), asks: others, reach };
  // The offset keeps what follows out of the choice of the index: the planner would walk in the order of the list, or
  // take the index of the trigrams.
  const narrowed = those(all, few.length > 0 ? few : [...indexed, ...others]).offset(sql.lit(0));
  const from =
    few.length > 0
      ? those(db.selectFrom(narrowed.as('coupons')).selectAll(), [...indexed, ...others])
      : narrowed;
  return { from, asks: [], reach };
}

/** How many match a filter, for a number of rows: by what was looked up for its texts, or as the planner estimates. */
export async function narrow(
  db: Database,
  filter: CouponFilter,
  { merchants, listed, conditionsFor }: LookedUp,
): Promise<(wanted: number) => Narrowed> {
  if (filter.search !== '' || (filter.merchant !== '' && merchants === null)) {
    return (wanted) => {
      const conditions = conditionsFor(wanted);
      return { few: conditions.length > 0 ? conditions : null, reach: reachFor(wanted, listed) };
    };
  }
  const inOrder = asksOf(filter, merchants, filter.sort);
  if (inOrder.others.length === 0) return () => ({ few: null, reach: 0 });
  const all = sql.join([...inOrder.indexed, ...inOrder.others], sql` and `);
  const [live = 0, found = 0] = await estimate(db, [sql`(${all})`]);
  return (wanted) => ({ few: isFew(found, wanted, live) ? [] : null, reach: reachFor(wanted, live) });
}

/** What a walk reads for the least that are not few, if they are evenly spread. */
function reachFor(wanted: number, listed: number): number {
  return Math.min(Math.ceil(Math.sqrt(wanted * listed)), MOST_REACH);
}
