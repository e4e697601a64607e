import { type AliasableExpression, type RawBuilder, type Selectable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import { type CouponSort, SHORT_SEARCH_REACH, type StoredCategory } from '#contract/coupon-facts.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { KeyType } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { ASKS, ENDS_AT, HIGH_RANK, HIGHEST } from '../coupon-filter.ts';
import {
  type Condition,
  estimate,
  isFew,
  isOf,
  isShort,
  isSoldBy,
  type LookedUp,
  mentions,
  NAME,
  type SearchTexts,
} from './search-store.ts';

/** Rows of a walk: to collect what matches soon costs less than to go on. */
const MOST_REACH = 5_000;

const CATEGORY = sql<string>`coupons.category`;
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
  expiry: { key: ENDS_AT, type: 'timestamptz', direction: 'asc' },
};

/** Filters for live coupons. */
export interface CouponFilter extends SearchTexts {
  /** Coupons that ended before are not live. */
  readonly now: Date;
  readonly sort: CouponSort;
  readonly category: StoredCategory | undefined;
  /** In cents; setting either leaves out percentages. */
  readonly minValue: number | undefined;
  readonly maxValue: number | undefined;
  /** ISO 3166-1 alpha-2: what a search finds for it comes first; null: none is preferred. */
  readonly country: string | null;
  /** Until when they have ended; setting it leaves out coupons that never expire. */
  readonly expiresBy: Date | undefined;
  /** The people whose coupons are left out. */
  readonly blockedIds: readonly number[];
}

/** A list is in one of these orders; a count by itself takes rows as they come. */
export type Order = CouponSort | 'counted';

type Coupons = AliasableExpression<Selectable<DB['coupons']>>;
type Column = RawBuilder<string>;

/** The coupons of a list. */
export interface Found {
  /** What an index has in the order of the list, or so few that they can be sorted. */
  readonly from: Coupons;
  /** The column that leads this index, of which `from` has one value; null: none does. */
  readonly lead: Column | null;
  /** Merchants, of each of which an index has the rows of `from` in the order of the list; null: it has all rows so. */
  readonly names: readonly string[] | null;
  /** What a walk in that order has to look at; null: all rows of `from` match. */
  readonly walked: Walked | null;
}

/** What the rows of a walk must meet. */
export interface Walked {
  readonly asks: readonly Condition[];
  /** How many rows the walk reads before it gives up. */
  readonly reach: number;
  /** All that match, by any index, for a walk that has given up. */
  readonly all: Coupons;
}

/** How many match, for a number of rows that are wanted. */
export interface Narrowed {
  /** What leaves few coupons, if anything is known to; null: so many match that a walk soon meets enough. */
  readonly few: readonly Condition[] | null;
  readonly reach: number;
  /** What leaves fewest coupons where all that match are collected; none where nothing is known to leave few. */
  readonly collecting: readonly Condition[];
}

function active(db: Database | Trx) {
  // Not a parameter: a plan for all values could not use the indexes of active coupons.
  return db.selectFrom('coupons').selectAll().where(sql<boolean>`is_active`);
}

export function live(db: Database | Trx, now: Date) {
  return active(db).where(ENDS_AT, '>=', now);
}

/** All rows that match what an index has in the order of a list. */
export function allOf(from: Coupons): Found {
  return { from, lead: null, names: null, walked: null };
}

/**
 * Sorts rows in the order of a list, in either direction. Without the column that leads the index, the planner might walk
 * through all other categories and merchants, which may be most of the table.
 */
export function inOrder(
  sort: CouponSort,
  direction: 'asc' | 'desc',
  lead: Column | null,
): RawBuilder<unknown> {
  const towards = sql.raw(direction);
  // The indexes of days run in the direction of what leads them, the others against it.
  const isAlike = sort === 'expiry';
  const leading = lead
    ? sql`${lead} ${sql.raw((direction === 'asc') === isAlike ? 'asc' : 'desc')}, `
    : sql``;
  return sql`order by ${leading}${KEYS[sort].key} ${towards}, id ${towards}`;
}

interface Asked {
  /** The column that leads the index of the order, with its one value. */
  readonly lead: { readonly column: Column; readonly value: string } | null;
  readonly names: readonly string[] | null;
  /** What this index finds, too. */
  readonly indexed: readonly Condition[];
  /** What it does not. */
  readonly others: readonly Condition[];
}

/**
 * What a filter asks of a live coupon.
 * @param merchants the names that the filter's merchant stands for, where they are known
 */
function asksOf(filter: CouponFilter, merchants: readonly string[] | null, order: Order): Asked {
  const { category, merchant, search, minValue, maxValue, expiresBy, blockedIds } = filter;
  const [low, high] = [minValue ?? 0, maxValue ?? HIGHEST];
  const isByTime = order === 'newest' || order === 'oldest';
  const isByValue = order === 'value-high' || order === 'value-low';
  const [name] = isByTime && merchants?.length === 1 ? merchants : [];
  const indexed: Condition[] = [];
  const others: Condition[] = [];
  let lead: Asked['lead'] = null;
  // Whoever blocks people passes over what those have, in any order.
  if (blockedIds.length > 0) indexed.push(sql`owner_id <> all(${blockedIds}::integer[])`);
  if (category !== undefined) {
    if (name !== undefined) others.push(ASKS.category(sql.val(category)));
    else if (order === 'counted') indexed.push(ASKS.category(sql.val(category)));
    else lead = { column: CATEGORY, value: category };
  }
  if (expiresBy !== undefined) {
    const isIndexed = order === 'expiry' || order === 'counted';
    (isIndexed ? indexed : others).push(ASKS.endsBy(sql.val(expiresBy)));
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
  if (merchant.length > 0 && merchants === null) others.push(mentions(merchant), isSoldBy(merchant));
  if (search.length > 0) others.push(mentions(search));
  if (name !== undefined) lead = { column: NAME, value: name };
  else if (merchants !== null) {
    const isByName = order === 'counted' || (isByTime && lead === null);
    if (isByName && others.length === 0) return { lead, names: merchants, indexed, others };
    (order === 'counted' ? indexed : others).push(isOf(merchants));
  }
  return { lead, names: null, indexed, others };
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
  { few, reach, collecting }: Narrowed,
): Found {
  const { lead, names, indexed, others } = asksOf(filter, merchants, order);
  const all = live(db, filter.now);
  const those = (source: typeof all, asks: readonly Condition[]) =>
    asks.reduce((met, condition) => met.where(condition), source);
  const every = [...equals(lead), ...indexed, ...others];
  if (isShort(filter)) {
    const newest = all.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(SHORT_SEARCH_REACH);
    return allOf(those(db.selectFrom(newest.as('coupons')).selectAll(), every));
  }
  /** The offset keeps what follows out of the choice of the index. */
  const narrowed = (asks: readonly Condition[]) =>
    db.selectFrom(those(all, asks).offset(sql.lit(0)).as('coupons')).selectAll();
  if (few !== null && others.length > 0) {
    // Else the planner would walk in the order of the list, or take the index of the trigrams.
    return allOf(few.length > 0 ? those(narrowed(few), every) : narrowed(every));
  }
  const ordered = {
    lead: lead?.column ?? null,
    names,
    // As a range: what equals one value, the planner leaves out of the order.
    found: lead
      ? [sql<boolean>`${lead.column} between ${lead.value} and ${lead.value}`, ...indexed]
      : indexed,
  };
  if (others.length === 0) return { ...ordered, from: those(all, ordered.found), walked: null };
  // A walk that passed over the expired coupons could read any number of them; the index of days skips them.
  const isByDay = order === 'expiry';
  return {
    ...ordered,
    from: those(isByDay ? all : active(db), ordered.found),
    walked: {
      asks: isByDay ? others : [sql<boolean>`${ENDS_AT} >= ${filter.now}`, ...others],
      reach,
      all: those(collecting.length > 0 ? narrowed(collecting) : all, every),
    },
  };
}

const equals = (lead: Asked['lead']): Condition[] =>
  lead ? [sql<boolean>`${lead.column} = ${lead.value}`] : [];

/** How many match a filter, for a number of rows: by what was looked up for its texts, or as the planner estimates. */
export async function narrow(
  db: Database,
  filter: CouponFilter,
  { merchants, listed, conditionsFor }: LookedUp,
): Promise<(wanted: number) => Narrowed> {
  if (filter.search.length > 0 || (filter.merchant.length > 0 && merchants === null)) {
    const collecting = conditionsFor(COUNT_CAP);
    return (wanted) => {
      const conditions = conditionsFor(wanted);
      const few = conditions.length > 0 ? conditions : null;
      return { few, reach: reachFor(wanted, listed), collecting };
    };
  }
  const { lead, indexed, others } = asksOf(filter, merchants, filter.sort);
  if (others.length === 0) return () => ({ few: null, reach: 0, collecting: [] });
  const all = sql.join([...equals(lead), ...indexed, ...others], sql` and `);
  const [live = 0, found = 0] = await estimate(db, [sql`(${all})`]);
  return (wanted) => ({
    few: isFew(found, wanted, live) ? [] : null,
    reach: reachFor(wanted, live),
    collecting: [],
  });
}

/** What a walk reads for the least that are not few, if they are evenly spread. */
function reachFor(wanted: number, listed: number): number {
  return Math.min(Math.ceil(Math.sqrt(wanted * listed)), MOST_REACH);
}
