import { type Expression, type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { CouponSort } from '#contract/coupon-facts.ts';
import { PAGE_SIZE } from '#contract/coupon-filters.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/primitives.ts';
import type { Database } from '#server/database/client.ts';
import { type ListPage, openPage, type Paging, totalOf } from '#server/database/paging.ts';
import { prepared } from '#server/database/prepared.ts';
import { findCoupons } from './finding-store.ts';
import { type Found, inOrder, KEYS } from './matching-store.ts';
import { NAME } from './search-store.ts';
import { type CouponRow, selectCoupons } from './store.ts';
import { type Place, walk } from './walking-store.ts';

/** The page of a list that is sorted so, and of no other. */
export interface SortedPaging extends Paging {
  readonly sort: CouponSort;
}

/** What a page is read from, and what is counted for it. */
export interface CouponList {
  readonly found: Found;
  /** Whether a walk to a page by number counts what it meets. */
  readonly isCountedOnTheWay: boolean;
  /** The number of its rows, by itself. */
  count(): RawBuilder<number>;
}

/** One more than is counted: it says that there are more. */
export const COUNTED = COUNT_CAP + 1;

/** The number of rows, as far as they are counted. */
export function countOf(rows: Expression<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*) from (select from ${rows} as matching limit ${sql.lit(COUNTED)}) as counted)`;
}

/** The first rows of what an index has in the order of a list, or of what is few. By default as many as are counted. */
export function firstOf(
  { from, lead, names }: Found,
  sort: CouponSort,
  limit: RawBuilder<unknown> = sql.lit(COUNTED),
  {
    direction = KEYS[sort].direction,
    part = sql`true`,
  }: { direction?: 'asc' | 'desc'; part?: RawBuilder<unknown> } = {},
): RawBuilder<Place> {
  const first = (asked: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql<Place>`(
    select id, ${KEYS[sort].key} as sort_key from ${from} as coupons where ${asked} ${order} limit ${limit})`;
  if (names === null) return first(part, inOrder(sort, direction, lead));
  const ofOne = first(
    sql`${NAME} between named.name and named.name and ${part}`,
    inOrder(sort, direction, NAME),
  );
  const towards = sql.raw(direction);
  return sql<Place>`(select id, sort_key from unnest(${names}::text[]) as named (name), lateral ${ofOne} as of_one
    order by sort_key ${towards}, id ${towards} limit ${limit})`;
}

interface CountedPlace extends Place {
  readonly found: number;
}

function sliceOf({ direction: towards, limit, offset }: ListPage, size = sql.val<number>) {
  const direction = sql.raw(towards);
  return sql`order by sort_key ${direction}, id ${direction} limit ${size(limit + 1)} offset ${size(offset)}`;
}

/** The ids of the first rows in order, with the number of rows: at least as many are read as are counted. */
function countedOf(found: Found, sort: CouponSort, rows: number, slice: RawBuilder<unknown>) {
  const first = firstOf(found, sort, rows > COUNTED ? sql.val(rows) : sql.lit(COUNTED));
  return sql<CountedPlace>`(select id, sort_key, count(*) over () as found from ${first} as ordered ${slice})`;
}

/** The ids of one page, each with its sort key and the number of rows of the list. */
function placesOf(list: CouponList, sort: CouponSort, page: ListPage): RawBuilder<CountedPlace> {
  const { found, isCountedOnTheWay } = list;
  const { direction, values, beyond, reach } = page;
  const { key } = KEYS[sort];
  const slice = sliceOf(page);
  const [place, id] = values ?? [];
  const isFirst = place === undefined;
  const { walked } = found;
  if (walked === null && isFirst) return countedOf(found, sort, reach, slice);
  // First the ties of the place, then what lies beyond. For one comparison, (key, id) < (…), the planner ignores ties
  // and expects hardly any rows; it would read all the remaining rows (every percentage, say) and sort them.
  const parts =
    place && id
      ? [sql<boolean>`(${key} = ${place} and id ${beyond} ${id})`, sql<boolean>`${key} ${beyond} ${place}`]
      : [];
  if (walked === null) {
    const read = parts.map((part) => firstOf(found, sort, sql.val(reach), { direction, part }));
    return sql`(select id, sort_key, ${list.count()} as found from (${sql.join(read, sql` union all `)}) as rest ${slice})`;
  }
  const isCounting = isFirst && isCountedOnTheWay;
  const wanted = isCounting ? Math.max(reach, COUNTED) : reach;
  const { ctes, first } = walk(found, walked, { sort, direction }, parts, wanted);
  const count = isCounting ? countOf(first(COUNTED)) : list.count();
  return sql`(with ${ctes} select id, sort_key, ${count} as found from ${first(reach)} as ordered ${slice})`;
}

const ROW_KEYS = sql<string>`json_build_array(page.sort_key, page.id)::text`;

function open({ sort, ...paging }: SortedPaging): ListPage {
  const { key, type, direction } = KEYS[sort];
  const order = {
    name: sort,
    direction,
    by: [
      [key, type],
      ['id', 'integer'],
    ],
  } as const;
  return openPage(paging, order, COUNT_CAP);
}

/** The number of rows of a list. */
export async function readTotal(db: Database, list: CouponList) {
  const { rows } = await sql<{ found: number }>`select ${list.count()} as found`.execute(db);
  return totalOf(rows[0]?.found ?? 0, COUNT_CAP);
}

async function totalBeside(
  db: Database,
  list: CouponList,
  { values, offset }: ListPage,
  [row]: readonly { readonly found: number }[],
) {
  const isFirst = values === undefined && offset === 0;
  return row || isFirst ? totalOf(row?.found ?? 0, COUNT_CAP) : readTotal(db, list);
}

/** A page whose coupons are not read yet. */
export type PlacedPage = Awaited<ReturnType<typeof readPlaces>>;

/** The places of one page, and the number of rows of the list. */
export async function readPlaces(db: Database, list: CouponList, paging: SortedPaging) {
  const page = open(paging);
  const direction = sql.raw(page.direction);
  const { rows } = await sql<{ id: number; found: number; rowKeys: string }>`
    select page.id, page.found, ${ROW_KEYS} as row_keys from ${placesOf(list, paging.sort, page)} as page
    order by page.sort_key ${direction}, page.id ${direction}`.execute(db);
  const total = await totalBeside(db, list, page, rows);
  return { ...page.finish(rows), ...total };
}

/** The page, with its coupons. */
export async function fillPlaces(
  db: Database,
  { rows: places, ...page }: PlacedPage,
  viewerId: number | null,
): Promise<Omit<PlacedPage, 'rows'> & { rows: CouponRow[] }> {
  const coupons = await findCoupons(
    db,
    places.map(({ id }) => id),
    viewerId,
  );
  const byId = new Map(coupons.map((coupon) => [coupon.id, coupon]));
  return { ...page, rows: places.flatMap(({ id }) => byId.get(id) ?? []) };
}

/**
 * One page and the number of rows of its list. It finds the ids in index order first, and reads the coupons in another
 * statement, which is planned once.
 */
export async function readPage(
  db: Database,
  list: CouponList,
  paging: SortedPaging,
  viewerId: number | null,
) {
  return fillPlaces(db, await readPlaces(db, list, paging), viewerId);
}

/** Literals in SQL: a plan for all values knows by them that few rows are read. */
const USUAL_SIZES = [PAGE_SIZE, DEFAULT_PAGE_SIZE];

/** Whether it is a first page of the sizes that are asked for most. */
export function isUsualFirst({ page, limit }: Paging): boolean {
  return page === 1 && USUAL_SIZES.includes(limit);
}

/**
 * A usual first page, with its coupons, in one prepared statement.
 * @param name the list, whose SQL is the same for all values
 */
export async function readUsualFirst(
  db: Database,
  name: string,
  found: Found,
  paging: SortedPaging,
  viewerId: number | null,
) {
  const page = open(paging);
  const places = countedOf(found, paging.sort, page.reach, sliceOf(page, sql.lit)).as('page');
  const coupons = selectCoupons(db, viewerId ?? 0)
    .innerJoin(places, 'page.id', 'coupons.id')
    .select([ROW_KEYS.as('rowKeys'), 'page.found'])
    .orderBy('page.sortKey', page.direction)
    .orderBy('page.id', page.direction);
  const rows = await prepared(db, `${name} ${paging.sort} ${paging.limit}`, coupons);
  return { ...page.finish(rows), ...totalOf(rows[0]?.found ?? 0, COUNT_CAP) };
}
