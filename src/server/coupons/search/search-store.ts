import { type RawBuilder, type Selectable, sql } from 'kysely';
import { SEARCH_COUNT_CAP } from '#contract/base/bounds.ts';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import type { CouponFilters } from '#contract/coupons/coupons.ts';
import { type MarketSort, SHORT_SEARCH_REACH } from '#contract/coupons/sorts.ts';
import { ASKS, asksOf, ENDS_AT, HIGHEST } from '#server/coupons/core/coupon-filter-sql.ts';
import { isShortTerm } from '#server/coupons/core/rules.ts';
import type { Database } from '#server/database/client.ts';
import { hasWords, mentionsEach, type SearchedWord, withoutSynonyms } from '#server/database/search-words.ts';
import type { DB } from '#server/database/types.ts';
import {
  CATEGORY,
  firstCoupons,
  type List,
  LOW_RANK,
  readPage,
  readSearch,
  readTotal,
  type SortedPaging,
} from './list-store.ts';

/** A walk through all coupons soon finds enough of them if there are more names than this. */
const MOST_MERCHANTS = 20;
const MERCHANT = sql<string>`coupons.merchant_text`;
/**
 * PostgreSQL expects that words meet by chance, and that few coupons were checked lately or have a price. Where that decides, the first
 * coupons of the list are looked at, and where few of them match, coupons from all over the table, since the first ones can all be of one
 * import: if this share of them matches, a walk in the order of the list soon finds enough.
 */
const LOOKED_AT = 500;
const OFTEN = 0.03;
/** Fewer are chance. */
const FEWEST = 3;
/** The same pages of 8 kB each time, so that they are in memory. */
const SAMPLED_PAGES = 100;
const COUPONS = sql<Selectable<DB['coupons']>>`coupons`;
const SAMPLE = sql<Selectable<DB['coupons']>>`(select * from coupons tablesample
  system (least(100, 100.0 * ${sql.lit(SAMPLED_PAGES)} * 8192 / greatest(pg_relation_size('coupons'), 1))) repeatable (1))`;

/** Filters for live coupons. */
interface CouponFilter extends Omit<CouponFilters, 'merchant' | 'search'> {
  /** Coupons that ended before are not live. */
  readonly now: Date;
  /** Folded words of the two text fields; none match all. */
  readonly merchant: readonly string[];
  readonly search: readonly SearchedWord[];
  /** ISO 3166-1 alpha-2: a search puts what is valid there first; null: none is preferred. */
  readonly country: string | null;
  /** Only codes that the merchant's own programme has confirmed since. */
  readonly checkedSince: Date | undefined;
  /** The people whose coupons are left out. */
  readonly blockedIds: readonly number[];
}

interface OwnFilter {
  readonly ownerId: number;
  readonly search: readonly SearchedWord[];
}

/**
 * A page of live coupons, and how many match, up to the cap. Of one word, PostgreSQL chooses between a walk in the order of the
 * list and the index of trigrams. Where all that match lie at the far end of the order, the walk is long: the time limit of
 * statements ends it, and the caller gets `unavailable`.
 */
export async function listCoupons(
  db: Database,
  filter: CouponFilter,
  paging: SortedPaging,
  viewerId: number | null,
) {
  const list = await matching(db, filter, paging.sort);
  return readSearch(db, list, paging, viewerId, preferencesOf(filter));
}

/** How many live coupons match, up to SEARCH_COUNT_CAP. */
export async function countCoupons(db: Database, filter: CouponFilter) {
  const list = await matching(db, filter, 'newest');
  return readTotal(db, list, 'newest', SEARCH_COUNT_CAP);
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
  // The index of a person's coupons has the listed ones apart from the others.
  const list = [true, false].map((isActive) => withWords(db, owned.where('isActive', '=', isActive), search));
  return readPage(db, list.flat(), paging, ownerId);
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
    .where('isOpenToOffers', '=', true)
    .where('category', 'not in', [...PERSONAL_CATEGORIES])
    // An index has them in the orders by time. For the other orders PostgreSQL reads all of this person's coupons, since a
    // walk through everybody's may be longer.
    .$if(!isByTime, (query) => query.offset(sql.lit(0)));
  return readPage(db, withWords(db, askable, search), paging, viewerId);
}

function withWords(db: Database, source: ReturnType<typeof live>, words: readonly SearchedWord[]): List {
  return [{ from: db.selectFrom(source.as('coupons')).selectAll().where(mentions(words)) }];
}

/** Whether a coupon's title, merchant and description have all these words in them, or synonyms. */
const mentions = (words: readonly SearchedWord[]) => mentionsEach(sql`coupons.search_text`, words);

function live(db: Database, now: Date, from: typeof COUPONS = COUPONS) {
  // Not a parameter: a plan for all values could not use the indexes of active coupons.
  return db
    .selectFrom(from.as('coupons'))
    .selectAll()
    .where(sql<boolean>`is_active`)
    .where(ENDS_AT, '>=', now);
}

/** Whether so many of these coupons meet all conditions that a walk soon finds enough of them. */
const isOften = (
  coupons: RawBuilder<unknown> | ReturnType<typeof live>,
  conditions: readonly RawBuilder<boolean>[],
) => sql<boolean>`(
    select count(*) filter (where ${sql.join(conditions, sql` and `)})
      >= greatest(${sql.lit(FEWEST)}, ${sql.lit(OFTEN)} * count(*))
    from ${coupons} as coupons)`;

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

/**
 * The list of a filter. What matches often is found in a walk in the order of the list, what does not by the index of its words, of
 * what was checked or of what has a price, and is sorted afterwards. In the order of prices, all that has one is a walk.
 */
async function matching(db: Database, filter: CouponFilter, sort: MarketSort): Promise<List> {
  const { category, merchant, search, minValue, maxValue, checkedSince, blockedIds } = filter;
  // The names that the filter's merchant stands for; null when there are many.
  const merchants = await merchantsWith(db, merchant);
  const asks = asksOf({ ...filter, checkedSince: undefined });
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
  const terms = search.map(({ word }) => word);
  const isShort = [merchant, terms].some((words) => words.length > 0 && words.every(isShortTerm));
  if (merchants === null || isShort) asks.push(hasWords(MERCHANT, merchant));
  if (merchants?.length === 0) asks.push(sql`false`);
  if (search.length > 0) asks.push(mentions(search));
  const isByPrice = sort === 'price-low';
  const rare = [
    ...(checkedSince === undefined ? [] : [ASKS.checkedSince(sql.val(checkedSince))]),
    ...(filter.hasAskingPrice && !isByPrice ? [ASKS.askingPrice] : []),
  ];
  // As a number it is no reason for another index than that of the order.
  const rareInWalk = rare.map((ask) => sql<boolean>`${ask}::integer <> 0`);

  const listed = (from?: typeof COUPONS) =>
    live(db, filter.now, from).$if(isByPrice, (query) => query.where(ASKS.askingPrice));
  const all = listed();
  const meet = (source: typeof all, more: readonly RawBuilder<boolean>[]) =>
    [...asks, ...more].reduce((query, ask) => query.where(ask), source);
  if (isShort) {
    // No index finds a text without trigrams.
    const newest = all.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(SHORT_SEARCH_REACH);
    return [{ from: meet(db.selectFrom(newest.as('coupons')).selectAll(), rare) }];
  }
  if (merchants?.length) {
    return merchants.map((name) => ({ from: meet(all, rareInWalk).where(MERCHANT, '=', name) }));
  }
  // A range: the planner drops an equal column from the order, and then may walk through all other values.
  const hasCategory = category !== undefined;
  const within = (source: typeof all) =>
    hasCategory ? source.where(sql<boolean>`${CATEGORY} between ${category} and ${category}`) : source;
  const walk = { from: meet(within(all), rareInWalk), hasCategory };
  if (rare.length === 0 && search.length + merchant.length < 2) return [walk];
  const conditions = [...asks, ...rare];
  const first = isOften(firstCoupons({ from: within(all), hasCategory }, sort, LOOKED_AT), conditions);
  const sampled = isOften(within(listed(SAMPLE)), conditions);
  const { rows } = await sql<{ isCommon: boolean }>`select ${first} or ${sampled} as is_common`.execute(db);
  return [rows[0]?.isCommon ? walk : { from: meet(within(all), rare).offset(sql.lit(0)), hasCategory }];
}

/** What a search puts first, the most important first. */
function preferencesOf({ country, search }: CouponFilter): RawBuilder<boolean>[] {
  if (search.length === 0) return [];
  const isValidHere = sql<boolean>`(regions = '{}' or ${country} = any(regions))`;
  const hasSynonyms = search.some(({ within, whole }) => within.length + whole.length > 0);
  return [
    ...(country === null ? [] : [isValidHere]),
    // Whoever searches in French sees French coupons before English ones.
    ...(hasSynonyms ? [mentions(withoutSynonyms(search))] : []),
  ];
}
