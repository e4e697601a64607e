import { type AliasableExpression, type RawBuilder, type Selectable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import { type CouponSort, PERSONAL_CATEGORIES, SHORT_SEARCH_REACH } from '#contract/coupon-facts.ts';
import type { CouponFilters } from '#contract/coupons.ts';
import type { Database } from '#server/database/client.ts';
import { type KeyType, type ListPage, openPage, type Paging, totalOf } from '#server/database/paging.ts';
import { hasWords } from '#server/database/search-words.ts';
import type { DB } from '#server/database/types.ts';
import { ASKS, asksOf, ENDS_AT, HIGH_RANK, HIGHEST } from '../coupon-filter.ts';
import { isShortTerm } from './rules.ts';
import { type CouponRow, findCoupons, selectCoupons } from './store.ts';

/** A walk through all coupons soon finds enough of them if there are more names than this. */
const MOST_MERCHANTS = 20;
/** The count includes one more row, which says that there are more than the cap. */
const COUNTED = COUNT_CAP + 1;
const CATEGORY = sql<string>`coupons.category`;
const MERCHANT = sql<string>`coupons.merchant_text`;
const LOW_RANK = sql<number>`(case when discount_type = 'fixed' then -value else -2147483647 end)`;

/** Each order matches its index; ids break ties in the direction of the key. */
const KEYS: Record<CouponSort, { key: RawBuilder<Date | number>; type: KeyType; direction: 'asc' | 'desc' }> =
  {
    newest: { key: sql`created_at`, type: 'timestamptz', direction: 'desc' },
    oldest: { key: sql`created_at`, type: 'timestamptz', direction: 'asc' },
    'value-high': { key: HIGH_RANK, type: 'integer', direction: 'desc' },
    'value-low': { key: LOW_RANK, type: 'integer', direction: 'desc' },
    expiry: { key: ENDS_AT, type: 'timestamptz', direction: 'asc' },
  };

/** Filters for live coupons. */
interface CouponFilter extends Omit<CouponFilters, 'merchant' | 'search'> {
  /** Coupons that ended before are not live. */
  readonly now: Date;
  /** Folded words of the two text fields (`typedWords`); none match all. */
  readonly merchant: readonly string[];
  readonly search: readonly string[];
  /** ISO 3166-1 alpha-2: a search puts what is valid there first; null: none is preferred. */
  readonly country: string | null;
  /** The latest end; setting it leaves out coupons that never expire. */
  readonly expiresBy: Date | undefined;
  /** The people whose coupons are left out. */
  readonly blockedIds: readonly number[];
}

/** A page of a list in one order; its cursor fits no other order. */
interface SortedPaging extends Paging {
  readonly sort: CouponSort;
}

interface OwnFilter {
  readonly ownerId: number;
  /** Folded words. */
  readonly search: readonly string[];
}

/** The coupons of a list, in parts of which an index has each in the order of the list. */
type List = readonly {
  readonly from: AliasableExpression<Selectable<DB['coupons']>>;
  /** Whether `from` has one category, which leads the index of the order. */
  readonly hasCategory?: boolean;
}[];

/**
 * A page of live coupons, and how many match, up to the cap. PostgreSQL chooses between a walk in the order of the list
 * and the index of trigrams. Where all that match lie at the far end of the order, the walk is long: the time limit of
 * statements ends it, and the caller gets `unavailable`.
 */
export async function listCoupons(
  db: Database,
  filter: CouponFilter,
  paging: SortedPaging,
  viewerId: number | null,
) {
  const list = matching(db, filter, await merchantsWith(db, filter.merchant), paging.sort);
  const { country, search } = filter;
  if (country === null || search.length === 0) return readPage(db, list, paging, viewerId);
  // There are two lists, and a cursor belongs to one of them. The number of rows tells which.
  const places = typeof paging.page === 'number' ? await readPlaces(db, list, paging) : null;
  const { total, totalIsCapped } = places ?? (await readTotal(db, list, paging.sort));
  // Sorting all matches costs more the more there are, so only a counted number of them is sorted.
  if (totalIsCapped) return fill(db, places ?? (await readPlaces(db, list, paging)), viewerId);
  return { ...(await readPreferred(db, list, paging, viewerId, country)), total, totalIsCapped };
}

/** About how many live coupons match, by the planner's statistics. It reads no coupon. */
export async function estimateCoupons(db: Database, filter: CouponFilter): Promise<number> {
  let coupons = 0;
  for (const { from } of matching(db, filter, await merchantsWith(db, filter.merchant), 'newest')) {
    const { rows } = await sql<Record<string, readonly [{ Plan: { 'Plan Rows': number } }]>>`
      explain (format json) select from ${from} as coupons`.execute(db);
    // PostgreSQL names the only column.
    coupons += Object.values(rows[0] ?? {})[0]?.[0].Plan['Plan Rows'] ?? 0;
  }
  return coupons;
}

/** The live coupons of one merchant, in any spelling of its whole name. */
export function listMerchantCoupons(
  db: Database,
  { merchant, now, blockedIds }: Pick<CouponFilter, 'now' | 'blockedIds'> & { readonly merchant: string },
  paging: SortedPaging,
  viewerId: number | null,
) {
  const from = live(db, now)
    .where(MERCHANT, '=', sql<string>`fold_text(${merchant})`)
    .$if(blockedIds.length > 0, (query) => query.where('ownerId', 'not in', blockedIds));
  return readPage(db, [{ from }], paging, viewerId);
}

/** A person's coupons, expired ones included. */
export function listOwnCoupons(db: Database, { ownerId, search }: OwnFilter, paging: SortedPaging) {
  const owned = db
    .selectFrom('coupons')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null);
  return readPage(db, withWords(db, owned, search), paging, ownerId);
}

/** Listed coupons of a person that are open to offers. Public codes are for personal use. */
export function listAskableCoupons(
  db: Database,
  { ownerId, search, now }: OwnFilter & { readonly now: Date },
  paging: SortedPaging,
  viewerId: number,
) {
  const isByTime = paging.sort === 'newest' || paging.sort === 'oldest';
  const askable = live(db, now)
    .where('ownerId', '=', ownerId)
    // No live coupon is deleted; the index of a person's coupons in order asks for it.
    .where('deletedAt', 'is', null)
    .where('isOpenToOffers', '=', true)
    .where('category', 'not in', [...PERSONAL_CATEGORIES])
    // An index has them in the orders by time. For the other orders PostgreSQL reads all of this person's coupons, since a
    // walk through everybody's may be longer.
    .$if(!isByTime, (query) => query.offset(sql.lit(0)));
  return readPage(db, withWords(db, askable, search), paging, viewerId);
}

function withWords(db: Database, source: ReturnType<typeof live>, words: readonly string[]): List {
  return [{ from: db.selectFrom(source.as('coupons')).selectAll().where(mentions(words)) }];
}

/** Whether a coupon's title, merchant and description have all these words in them. */
const mentions = (words: readonly string[]) => hasWords(sql`coupons.search_text`, words);

function live(db: Database, now: Date) {
  // Not a parameter: a plan for all values could not use the indexes of active coupons.
  return db.selectFrom('coupons').selectAll().where(sql<boolean>`is_active`).where(ENDS_AT, '>=', now);
}

/** The folded names that have all these words; null for many, and for words without a trigram. */
async function merchantsWith(db: Database, words: readonly string[]): Promise<string[] | null> {
  if (words.every(isShortTerm)) return null;
  const rows = await db
    .selectFrom('merchants')
    .select('name')
    .where(hasWords(sql`name`, words))
    .limit(sql.lit(MOST_MERCHANTS + 1))
    .execute();
  return rows.length > MOST_MERCHANTS ? null : rows.map(({ name }) => name);
}

/** @param merchants the names that the filter's merchant stands for; null when there are many */
function matching(
  db: Database,
  filter: CouponFilter,
  merchants: readonly string[] | null,
  sort: CouponSort,
): List {
  const { category, merchant, search, minValue, maxValue, blockedIds } = filter;
  const asks = asksOf(filter);
  if (blockedIds.length > 0) asks.push(sql`owner_id <> all(${blockedIds}::integer[])`);
  if (minValue !== undefined || maxValue !== undefined) {
    const [low, high] = [minValue ?? 0, maxValue ?? HIGHEST];
    // As a range of the rank that this order uses; the ranks of percentages are outside every range.
    const isByLow = sort === 'value-low';
    asks.push(
      isByLow
        ? sql<boolean>`${LOW_RANK} between ${-high} and ${-low}`
        : ASKS.value(sql.val(low), sql.val(high)),
    );
  }
  const isShort = [merchant, search].some((words) => words.length > 0 && words.every(isShortTerm));
  if (merchants === null || isShort) asks.push(hasWords(MERCHANT, merchant));
  if (merchants?.length === 0) asks.push(sql`false`);
  if (search.length > 0) asks.push(mentions(search));

  const all = live(db, filter.now);
  if (isShort) {
    // No index finds a text without trigrams.
    const newest = all.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(SHORT_SEARCH_REACH);
    const from = db.selectFrom(newest.as('coupons')).selectAll();
    return [{ from: asks.reduce((met, ask) => met.where(ask), from) }];
  }
  const met = asks.reduce((query, ask) => query.where(ask), all);
  if (merchants?.length) return merchants.map((name) => ({ from: met.where(MERCHANT, '=', name) }));
  if (category === undefined) return [{ from: met }];
  // A range: the planner drops an equal column from the order, and then may walk through all other values.
  return [
    { from: met.where(sql<boolean>`${CATEGORY} between ${category} and ${category}`), hasCategory: true },
  ];
}

interface Place {
  readonly id: number;
  readonly sortKey: Date | number;
}

/** The first rows of a list in one direction, of those that meet any of the conditions; these exclude each other. */
function firstOf(
  list: List,
  sort: CouponSort,
  limit: number,
  direction = KEYS[sort].direction,
  conditions = [sql<boolean>`true`],
): RawBuilder<Place> {
  const { key } = KEYS[sort];
  const towards = sql.raw(direction);
  // The indexes of days run in the direction of what leads them, the others against it.
  const leading = sql`${CATEGORY} ${sql.raw((direction === 'asc') === (sort === 'expiry') ? 'asc' : 'desc')}, `;
  const parts = list.flatMap(({ from, hasCategory }) =>
    conditions.map(
      (condition) => sql`(select id, ${key} as sort_key from ${from} as coupons where ${condition}
        order by ${hasCategory ? leading : sql``}${key} ${towards}, id ${towards} limit ${limit})`,
    ),
  );
  return sql`(select id, sort_key from (${sql.join(parts, sql` union all `)}) as parts
    order by sort_key ${towards}, id ${towards} limit ${limit})`;
}

function open({ sort, ...paging }: SortedPaging): ListPage {
  const { key, type, direction } = KEYS[sort];
  const by = [
    [key, type],
    ['id', 'integer'],
  ] as const;
  return openPage(paging, { name: sort, direction, by }, COUNT_CAP);
}

/** How many rows a list has, as far as they are counted. */
const countOf = (list: List, sort: CouponSort) =>
  sql<number>`(select count(*) from ${firstOf(list, sort, COUNTED)} as counted)`;

async function readTotal(db: Database, list: List, sort: CouponSort) {
  const { rows } = await sql<{ found: number }>`select ${countOf(list, sort)} as found`.execute(db);
  return totalOf(rows[0]?.found ?? 0, COUNT_CAP);
}

/** The ids of one page, each with its sort key and the number of rows of the list. */
function placesOf(list: List, sort: CouponSort, page: ListPage) {
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

async function readPage(db: Database, list: List, paging: SortedPaging, viewerId: number | null) {
  return fill(db, await readPlaces(db, list, paging), viewerId);
}

/** Reads a page that puts the coupons first that are valid in a country. It sorts all matches, so it is for few. */
async function readPreferred(
  db: Database,
  list: List,
  { sort, ...paging }: SortedPaging,
  viewerId: number | null,
  country: string,
) {
  const { key, type, direction } = KEYS[sort];
  const isValidHere = sql<boolean>`(regions = '{}' or ${country} = any(regions))`;
  // All keys run in one direction.
  const place = sql<number>`(${isValidHere} = ${sql.lit(direction === 'desc')})::integer`;
  const by = [
    [place, 'integer'],
    [key, type],
    ['id', 'integer'],
  ] as const;
  const page = openPage(paging, { name: `${sort} here`, direction, by }, COUNT_CAP);
  const placed = db
    .selectFrom('coupons')
    .where(sql<boolean>`id in (select id from ${firstOf(list, sort, COUNT_CAP)} as listed)`)
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
