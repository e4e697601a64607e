import { type RawBuilder, sql, type UpdateObject } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import {
  type CouponSort,
  type DiscountType,
  SHORT_SEARCH_REACH,
  type StoredCategory,
  type Transferable,
} from '#contract/coupon-facts.ts';
import { PAGE_SIZE } from '#contract/coupon-filters.ts';
import type { ImageKind } from '#contract/images.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { likePattern } from '#server/database/like-pattern.ts';
import { cappedTotal, type KeyType, type ListPage, openPage, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { ASKS, HIGH_RANK, HIGHEST, LAST_DAY } from '../coupon-filter.ts';
import { hasCode } from '../coupon-summary.ts';
import { type Condition, isOf, isShort, type LookedUp, mentions, type SearchTexts } from './search-store.ts';

const LOW_RANK = sql<number>`(case when discount_type = 'fixed' then -value else -2147483647 end)`;

/** The kinds of code pictures that a coupon has. */
const IMAGE_KINDS = sql<ImageKind[]>`array(select kind from images where images.coupon_id = coupons.id)`;

type SortKey = Date | string | number;

/** Each order matches its index; ids break ties in the direction of the key. */
const KEYS: Record<CouponSort, { key: RawBuilder<SortKey>; type: KeyType; direction: 'asc' | 'desc' }> = {
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

export function live(db: Database, today: string) {
  // Not a parameter: a plan for all values could not use the indexes of active coupons.
  return db.selectFrom('coupons').selectAll().where(sql<boolean>`is_active`).where(LAST_DAY, '>=', today);
}

/**
 * The rows that match a filter.
 * @param merchants the names that the filter's merchant stands for, where they are known
 * @param conditions that leave few coupons; none: many match
 */
function matching(
  db: Database,
  filter: CouponFilter,
  merchants: readonly string[] | null,
  conditions: readonly Condition[],
) {
  const { today, sort, category, merchant, search, minValue, maxValue, expiresBy, blockedIds } = filter;
  const all = live(db, today);
  const met = conditions.reduce((source, condition) => source.where(condition), all);
  // The offset keeps what follows out of the choice of the index: the planner would take that of the trigrams.
  const few = conditions.length > 0 ? met.offset(sql.lit(0)) : all;
  const source = isShort(filter)
    ? all.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(SHORT_SEARCH_REACH)
    : few;
  const [low, high] = [minValue ?? 0, maxValue ?? HIGHEST];
  return (
    db
      .selectFrom(source.as('coupons'))
      .$if(category !== undefined, (query) => query.where(ASKS.category(sql.val(category ?? ''))))
      // The search text contains the merchant: its index narrows the rows, the name decides.
      .$if(merchants !== null, (query) => query.where(isOf(merchants ?? [])))
      .$if(merchant !== '' && merchants === null, (query) =>
        query.where(mentions(merchant)).where(ASKS.merchant(sql.val(likePattern(merchant)))),
      )
      .$if(search !== '', (query) => query.where(mentions(search)))
      // As a range of the rank that this sort uses; the ranks of percentages are outside every range.
      .$if(minValue !== undefined || maxValue !== undefined, (query) =>
        sort === 'value-low'
          ? query.where(LOW_RANK, '>=', -high).where(LOW_RANK, '<=', -low)
          : query.where(ASKS.value(sql.val(low), sql.val(high))),
      )
      .$if(expiresBy !== undefined, (query) => query.where(ASKS.lastDay(sql.val(expiresBy ?? ''))))
      .$if(blockedIds.length > 0, (query) =>
        query.where(sql<boolean>`owner_id <> all(${blockedIds}::integer[])`),
      )
  );
}

/** Coupons with their owners. The sealed code and the lowest price are included only for the viewer's own coupons. */
export function selectCoupons(db: Database | Trx, viewerId: number | null) {
  return db
    .selectFrom('coupons')
    .innerJoin('users', 'users.id', 'coupons.ownerId')
    .leftJoin('couponReservations', 'couponReservations.couponId', 'coupons.id')
    .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .leftJoin('savedCoupons', (join) =>
      join.onRef('savedCoupons.couponId', '=', 'coupons.id').on('savedCoupons.userId', '=', viewerId ?? 0),
    )
    .select(['coupons.id', 'coupons.title', 'coupons.description', 'coupons.value', 'coupons.discountType'])
    .select(['coupons.merchant', 'coupons.category', 'coupons.hasNoExpiry', 'coupons.expiryDate'])
    .select(['coupons.expiresAt', 'coupons.terms', 'coupons.sourceUrl', 'coupons.isVerified'])
    .select([
      'coupons.isValueRead',
      'coupons.regions',
      'coupons.transferable',
      'coupons.isOpenToOffers',
      'coupons.askingPrice',
      'coupons.pictureId',
      'coupons.isActive',
      'coupons.ownerId',
      'coupons.createdAt',
      'coupons.updatedAt',
    ])
    .select(['users.username as ownerUsername', 'users.deletedAt as ownerDeletedAt'])
    .select((select) => [
      select('couponReservations.couponId', 'is not', null).as('isReserved'),
      hasCode(sql.ref('coupons.id')).as('hasCode'),
      select('savedCoupons.couponId', 'is not', null).as('isSaved'),
      IMAGE_KINDS.as('imageKinds'),
      select
        .case()
        .when('coupons.ownerId', '=', viewerId)
        .then(select.ref('couponSecrets.code'))
        .end()
        .as('sealedCode'),
      select
        .case()
        .when('coupons.ownerId', '=', viewerId)
        .then(select.ref('coupons.priceFloor'))
        .end()
        .as('priceFloor'),
    ])
    .$narrowType<{
      category: StoredCategory;
      discountType: DiscountType;
      transferable: Transferable;
      isReserved: boolean;
      isSaved: boolean;
    }>();
}

export type CouponRow = Awaited<ReturnType<ReturnType<typeof selectCoupons>['execute']>>[number];

/** The page of a list that is sorted so, and of no other. */
export interface SortedPaging extends Paging {
  readonly sort: CouponSort;
}

/** Literals in SQL: a plan for all values knows by them that few rows are read. Only these, as plans are kept. */
const USUAL_SIZES = [PAGE_SIZE, DEFAULT_PAGE_SIZE];

/** The ids of one page, each with its sort key. */
function idsOf(db: Database, found: ReturnType<typeof matching>, sort: CouponSort, page: ListPage) {
  const { key } = KEYS[sort];
  const { direction, values, beyond, limit } = page;
  const ordered = (query: typeof found) =>
    query
      .select(['id', key.as('sortKey'), page.rowKeys().as('rowKeys')])
      .orderBy(key, direction)
      .orderBy('id', direction)
      .limit(USUAL_SIZES.includes(limit) ? sql.lit(limit + 1) : limit + 1);
  const [place, id] = values ?? [];
  const first = ordered(found).$if(page.offset > 0, (query) => query.offset(page.offset));
  if (!place || !id) return db.selectFrom(first.as('found')).selectAll();
  // First the ties of the place, then what lies beyond. For one comparison, (key, id) < (…), the planner ignores ties
  // and expects hardly any rows; it would read all the remaining rows (every percentage, say) and sort them.
  const ties = ordered(found.where(sql<boolean>`${key} = ${place} and id ${beyond} ${id}`));
  const rest = ordered(found.where(sql<boolean>`${key} ${beyond} ${place}`));
  const both = db
    .selectFrom(ties.as('ties'))
    .selectAll()
    .unionAll(db.selectFrom(rest.as('rest')).selectAll());
  return db
    .selectFrom(both.as('found'))
    .selectAll()
    .orderBy('sortKey', direction)
    .orderBy('id', direction)
    .limit(limit + 1);
}

/** The rows of one page. Finds the ids in index order first and joins the other tables only to those. */
export async function readPage(
  db: Database,
  found: ReturnType<typeof matching>,
  { sort, ...paging }: SortedPaging,
  viewerId: number | null,
) {
  const { key, type, direction } = KEYS[sort];
  const order = {
    name: sort,
    direction,
    by: [
      [key, type],
      ['id', 'integer'],
    ],
  } as const;
  const page = openPage(paging, order, COUNT_CAP);
  const rows = await selectCoupons(db, viewerId)
    .innerJoin(idsOf(db, found, sort, page).as('page'), 'page.id', 'coupons.id')
    .select('page.rowKeys')
    .orderBy('page.sortKey', page.direction)
    .orderBy('page.id', page.direction)
    .execute();
  return page.finish(rows);
}

/** Like `readPage`, with the coupons first that count in a country. Sorts all matches: for few. */
async function readPreferred(
  db: Database,
  found: ReturnType<typeof matching>,
  { sort, ...paging }: SortedPaging,
  viewerId: number | null,
  country: string,
) {
  const { key, type, direction } = KEYS[sort];
  const countsHere = sql<boolean>`(regions = '{}' or ${country} = any(regions))`;
  // All keys run in one direction.
  const place = sql<number>`(${countsHere} = ${sql.lit(direction === 'desc')})::integer`;
  const order = {
    name: `${sort} here`,
    direction,
    by: [
      [place, 'integer'],
      [key, type],
      ['id', 'integer'],
    ],
  } as const;
  const page = openPage(paging, order, COUNT_CAP);
  const chosen = page.select(found.select(['id', place.as('place'), key.as('sortKey')])).as('page');
  const rows = await selectCoupons(db, viewerId)
    .innerJoin(chosen, 'page.id', 'coupons.id')
    .select('page.rowKeys')
    .orderBy('page.place', page.direction)
    .orderBy('page.sortKey', page.direction)
    .orderBy('page.id', page.direction)
    .execute();
  return page.finish(rows);
}

/** Live coupons, for any filter, with what was looked up for its texts. */
export async function listCoupons(
  db: Database,
  filter: CouponFilter,
  { merchants, conditionsFor }: LookedUp,
  paging: SortedPaging,
  viewerId: number | null,
) {
  const few = conditionsFor(COUNT_CAP);
  const counted = matching(db, filter, merchants, few);
  const counting = cappedTotal(
    db,
    counted
      .select('id')
      // The index of the last days starts with the live coupons and skips the expired ones, which only grow in number.
      .$if(merchants === null && few.length === 0, (query) => query.orderBy(LAST_DAY)),
    COUNT_CAP,
  );
  const { country, search } = filter;
  if (country !== null && search !== '') {
    const counts = await counting;
    // Of more matches than are counted, to sort all would cost more the more there are.
    if (!counts.totalIsCapped)
      return { ...(await readPreferred(db, counted, paging, viewerId, country)), ...counts };
  }
  const shown = paging.limit * (typeof paging.page === 'number' ? paging.page : 1);
  const found = matching(db, filter, merchants, conditionsFor(shown));
  const [page, counts] = await Promise.all([readPage(db, found, paging, viewerId), counting]);
  return { ...page, ...counts };
}

/** Lock the coupon first. Fails with a unique violation of coupons_code_key if the code is listed already. */
export async function updateCoupon(trx: Trx, id: number, values: UpdateObject<DB, 'coupons'>): Promise<void> {
  await trx
    .updateTable('coupons')
    .set(values)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Stores a sealed code; replaces the previous one. */
export async function putSecret(trx: Trx, couponId: number, code: Buffer): Promise<void> {
  await trx
    .insertInto('couponSecrets')
    .values({ couponId, code })
    .onConflict((conflict) => conflict.column('couponId').doUpdateSet({ code }))
    .execute();
}
