import { type AliasableExpression, type RawBuilder, type Selectable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { MarketSort } from '#contract/coupons/sorts.ts';
import { ENDS_AT, HIGH_RANK } from '#server/coupons/core/coupon-filter-sql.ts';
import { type CouponRow, findCoupons, selectCoupons } from '#server/coupons/core/store.ts';
import type { Database } from '#server/database/client.ts';
import {
  isCursorOf,
  type KeyType,
  type ListOrder,
  type ListPage,
  openPage,
  type Paging,
  totalOf,
} from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';

/** The count includes one more row, which says that there are more than the cap. */
const COUNTED = COUNT_CAP + 1;
export const CATEGORY = sql<string>`coupons.category`;
export const LOW_RANK = sql<number>`(case when discount_type = 'fixed' then -value else -2147483647 end)`;

/** Codes of which nothing is known come last. */
const RELIABLE_RANK = sql<number>`coalesce(health, -1)`;

/** Each order matches its index; ids break ties in the direction of the key. */
const KEYS: Record<MarketSort, { key: RawBuilder<Date | number>; type: KeyType; direction: 'asc' | 'desc' }> =
  {
    newest: { key: sql`created_at`, type: 'timestamptz', direction: 'desc' },
    oldest: { key: sql`created_at`, type: 'timestamptz', direction: 'asc' },
    'value-high': { key: HIGH_RANK, type: 'integer', direction: 'desc' },
    'value-low': { key: LOW_RANK, type: 'integer', direction: 'desc' },
    reliable: { key: RELIABLE_RANK, type: 'integer', direction: 'desc' },
    expiry: { key: ENDS_AT, type: 'timestamptz', direction: 'asc' },
    'price-low': { key: sql`asking_price`, type: 'numeric', direction: 'asc' },
  };

/** The orders whose indexes run up; by category, then, the others run down. */
const RUNS_UP: readonly MarketSort[] = ['expiry', 'price-low'];

/** A page of a list in one order; its cursor fits no other order. */
export interface SortedPaging extends Paging {
  readonly sort: MarketSort;
}

interface Part {
  readonly from: AliasableExpression<Selectable<DB['coupons']>>;
  /** Whether `from` has one category, which leads the index of the order. */
  readonly hasCategory?: boolean;
}

/** The coupons of a list, in parts of which an index has each in the order of the list. */
export type List = readonly Part[];

/** The first coupons of a part, whole. */
export const firstCoupons = (part: Part, sort: MarketSort, limit: number) =>
  sql`(select * from ${part.from} as coupons order by ${orderWithin(part, sort)} limit ${sql.lit(limit)})`;

/** The keys of a part, as its index has them. */
function orderWithin({ hasCategory }: Part, sort: MarketSort, direction = KEYS[sort].direction) {
  const towards = sql.raw(direction);
  // The indexes of days and prices run in the direction of what leads them, the others against it.
  const leading = sql`${CATEGORY} ${sql.raw((direction === 'asc') === RUNS_UP.includes(sort) ? 'asc' : 'desc')}, `;
  return sql`${hasCategory ? leading : sql``}${KEYS[sort].key} ${towards}, id ${towards}`;
}

/** Reads a page that begins with the preferred coupons, unless more match than are counted. */
export async function readSearch(
  db: Database,
  list: List,
  paging: SortedPaging,
  viewerId: number | null,
  prefers: readonly RawBuilder<boolean>[],
) {
  if (prefers.length === 0) return readPage(db, list, paging, viewerId);
  // There are two lists, and a cursor belongs to one of them.
  if (typeof paging.page === 'string' && isCursorOf(orderOf(paging.sort), paging.page)) {
    return readPage(db, list, paging, viewerId);
  }
  // The number of rows tells which list a page number is of.
  const places = typeof paging.page === 'number' ? await readPlaces(db, list, paging) : null;
  const { total, totalIsCapped } = places ?? (await readTotal(db, list, paging.sort));
  // Sorting all matches costs more the more there are, so only a counted number of them is sorted.
  if (totalIsCapped) return fill(db, places ?? (await readPlaces(db, list, paging)), viewerId);
  return { ...(await readPreferred(db, list, paging, viewerId, prefers)), total, totalIsCapped };
}

interface Place {
  readonly id: number;
  readonly sortKey: Date | number;
}

/** The first rows of a list in one direction, of those that meet any of the conditions; these exclude each other. */
function firstOf(
  list: List,
  sort: MarketSort,
  limit: number,
  direction = KEYS[sort].direction,
  conditions = [sql<boolean>`true`],
): RawBuilder<Place> {
  const { key } = KEYS[sort];
  const towards = sql.raw(direction);
  const parts = list.flatMap((part) =>
    conditions.map(
      (condition) => sql`(select id, ${key} as sort_key from ${part.from} as coupons where ${condition}
        order by ${orderWithin(part, sort, direction)} limit ${limit})`,
    ),
  );
  return sql`(select id, sort_key from (${sql.join(parts, sql` union all `)}) as parts
    order by sort_key ${towards}, id ${towards} limit ${limit})`;
}

function orderOf(sort: MarketSort): ListOrder {
  const { key, type, direction } = KEYS[sort];
  const by = [
    [key, type],
    ['id', 'integer'],
  ] as const;
  return { name: sort, direction, by };
}

const open = ({ sort, ...paging }: SortedPaging): ListPage => openPage(paging, orderOf(sort), COUNT_CAP);

/** How many rows a list has, as far as they are counted. */
const countOf = (list: List, sort: MarketSort, counted = COUNTED) =>
  sql<number>`(select count(*) from ${firstOf(list, sort, counted)} as counted)`;

export async function readTotal(db: Database, list: List, sort: MarketSort, cap = COUNT_CAP) {
  const { rows } = await sql<{ found: number }>`select ${countOf(list, sort, cap + 1)} as found`.execute(db);
  return totalOf(rows[0]?.found ?? 0, cap);
}

/** The ids of one page, each with its sort key and the number of rows of the list. */
function placesOf(list: List, sort: MarketSort, page: ListPage) {
  const { direction, values, beyond, reach, limit, offset } = page;
  const towards = sql.raw(direction);
  const slice = sql`order by sort_key ${towards}, id ${towards} limit ${limit + 1} offset ${offset}`;
  const [key, id] = values ?? [];
  if (!key || !id) {
    const first = firstOf(list, sort, Math.max(reach, COUNTED));
    return sql<Place>`(select id, sort_key, count(*) over () as found from ${first} as ordered ${slice})`;
  }
  // The ties come first, then the rows beyond. In one comparison, (key, id) < (…), the planner ignores ties and expects
  // hardly any rows: it would read all remaining rows, such as every percentage, and sort them.
  const rest = firstOf(list, sort, reach, direction, [
    sql`(${KEYS[sort].key} = ${key} and id ${beyond} ${id})`,
    sql`${KEYS[sort].key} ${beyond} ${key}`,
  ]);
  return sql<Place>`(select id, sort_key, ${countOf(list, sort)} as found from ${rest} as rest ${slice})`;
}

async function readPlaces(db: Database, list: List, paging: SortedPaging) {
  const page = open(paging);
  const towards = sql.raw(page.direction);
  const { rows } = await sql<{ id: number; found: number; rowKeys: string }>`
    select id, found, json_build_array(sort_key, id)::text as row_keys
    from ${placesOf(list, paging.sort, page)} as page order by sort_key ${towards}, id ${towards}`.execute(
    db,
  );
  const isFirst = page.values === undefined && page.offset === 0;
  const [row] = rows;
  const total = row || isFirst ? totalOf(row?.found ?? 0, COUNT_CAP) : await readTotal(db, list, paging.sort);
  return { ...page.finish(rows), ...total };
}

type PlacedPage = Awaited<ReturnType<typeof readPlaces>>;

/** Adds the coupons to a page. Another statement reads them, which is planned once. */
async function fill(
  db: Database,
  { rows: places, ...page }: PlacedPage,
  viewerId: number | null,
): Promise<Omit<PlacedPage, 'rows'> & { rows: CouponRow[] }> {
  const ids = places.map(({ id }) => id);
  const coupons = await findCoupons(db, ids, viewerId);
  const byId = new Map(coupons.map((coupon) => [coupon.id, coupon]));
  return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []) };
}

export async function readPage(db: Database, list: List, paging: SortedPaging, viewerId: number | null) {
  return fill(db, await readPlaces(db, list, paging), viewerId);
}

/** Reads a page that puts the preferred coupons first. It sorts all matches, so it is for few. */
async function readPreferred(
  db: Database,
  list: List,
  { sort, ...paging }: SortedPaging,
  viewerId: number | null,
  prefers: readonly RawBuilder<boolean>[],
) {
  const { key, type, direction } = KEYS[sort];
  // All keys run in one direction.
  const places = prefers.map(
    (isPreferred, at) =>
      sql`(${isPreferred} = ${sql.lit(direction === 'desc')})::integer * ${sql.lit(2 ** (prefers.length - 1 - at))}`,
  );
  const place = sql<number>`(${sql.join(places, sql` + `)})`;
  const by = [
    [place, 'integer'],
    [key, type],
    ['id', 'integer'],
  ] as const;
  const page = openPage(paging, { name: `${sort} here`, direction, by }, COUNT_CAP);
  const placed = db
    .selectFrom('coupons')
    .where(sql<boolean>`id = any(array(select id from ${firstOf(list, sort, COUNT_CAP)} as listed))`)
    .select(['id', place.as('place'), key.as('sortKey')]);
  const chosen = page.select(placed).as('page');
  const rows = await selectCoupons(db, viewerId)
    .innerJoin(chosen, 'page.id', 'coupons.id')
    .select('page.rowKeys')
    .orderBy('page.place', page.direction)
    .orderBy('page.sortKey', page.direction)
    .orderBy('page.id', page.direction)
    .execute();
  return page.finish(rows);
}
