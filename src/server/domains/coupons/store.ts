import { type Expression, sql, type UpdateObject } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { CouponSort, DiscountType, StoredCategory, Transferable } from '#contract/coupon-facts.ts';
import { PAGE_SIZE } from '#contract/coupon-filters.ts';
import type { ImageKind } from '#contract/images.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { compiledOnce } from '#server/database/compiled-once.ts';
import { cappedTotal, type ListPage, openPage, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { LAST_DAY } from '../coupon-filter.ts';
import { hasCode } from '../coupon-summary.ts';
import {
  type CouponFilter,
  type Found,
  KEYS,
  matching,
  type Narrowed,
  narrow,
  type Order,
} from './matching-store.ts';
import type { LookedUp } from './search-store.ts';
import { type Place, walk } from './walking-store.ts';

/** The kinds of code pictures that a coupon has. */
const IMAGE_KINDS = sql<ImageKind[]>`array(select kind from images where images.coupon_id = coupons.id)`;

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
function idsOf(
  db: Database,
  found: Found,
  sort: CouponSort,
  { direction, values, beyond, reach, ...page }: ListPage,
) {
  const { key } = KEYS[sort];
  const [place, id] = values ?? [];
  // First the ties of the place, then what lies beyond. For one comparison, (key, id) < (…), the planner ignores ties
  // and expects hardly any rows; it would read all the remaining rows (every percentage, say) and sort them.
  const parts =
    place && id
      ? [sql<boolean>`(${key} = ${place} and id ${beyond} ${id})`, sql<boolean>`${key} ${beyond} ${place}`]
      : [];
  const limit = USUAL_SIZES.includes(page.limit) ? sql.lit(page.limit + 1) : page.limit + 1;
  const all = db.selectFrom(found.from.as('coupons')).select(['id', key.as('sortKey')]);
  const ordered = (query: typeof all) => query.orderBy(key, direction).orderBy('id', direction).limit(limit);
  const isWalked = found.asks.length > 0;
  if (!isWalked && parts.length === 0) {
    const first = ordered(all).$if(page.offset > 0, (query) => query.offset(page.offset));
    return db.selectFrom(first.as('found')).selectAll();
  }
  const [ties, rest] = parts.map((part) => db.selectFrom(ordered(all.where(part)).as('part')).selectAll());
  const read =
    ties && rest && !isWalked
      ? ties.unionAll(rest)
      : walk(found, { key, direction }, parts, { wanted: reach, reach: found.reach });
  return db
    .selectFrom(read.as('found'))
    .selectAll()
    .orderBy('sortKey', direction)
    .orderBy('id', direction)
    .limit(page.limit + 1)
    .offset(page.offset);
}

/** The coupons of a page: most of its SQL, and the same for all filters. */
const couponsOfPage = (direction: 'asc' | 'desc') =>
  compiledOnce((db, { ids, viewerId }: { ids: Expression<Place>; viewerId: number }) =>
    selectCoupons(db, viewerId)
      .innerJoin(sql<Place>`${ids}`.as('page'), 'page.id', 'coupons.id')
      .select(sql<string>`json_build_array(page.sort_key, page.id)::text`.as('rowKeys'))
      .orderBy('page.sortKey', direction)
      .orderBy('page.id', direction),
  );
const COUPONS_OF_PAGE = { asc: couponsOfPage('asc'), desc: couponsOfPage('desc') };

/** The rows of one page. Finds the ids in index order first and joins the other tables only to those. */
export async function readPage(
  db: Database,
  found: Found,
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
  const ids = idsOf(db, found, sort, page);
  const coupons = COUPONS_OF_PAGE[page.direction](db, { ids, viewerId: viewerId ?? 0 });
  const { rows } = await coupons.execute(db);
  return page.finish(rows);
}

/** Like `readPage`, with the coupons first that count in a country. Sorts all matches: for few. */
async function readPreferred(
  db: Database,
  from: Found['from'],
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
  const placed = db.selectFrom(from.as('coupons')).select(['id', place.as('place'), key.as('sortKey')]);
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

/** Live coupons, for any filter, with what was looked up for its texts. */
export async function listCoupons(
  db: Database,
  filter: CouponFilter,
  lookedUp: LookedUp,
  paging: SortedPaging,
  viewerId: number | null,
) {
  const { merchants } = lookedUp;
  const narrowed = await narrow(db, filter, lookedUp);
  const find = (order: Order, given: Narrowed) => matching(db, filter, merchants, order, given);
  const toCount = narrowed(COUNT_CAP);
  // The index of the last days starts with the live coupons and skips the expired ones, which only grow in number.
  const order =
    merchants === null && toCount.few === null ? ({ key: LAST_DAY, direction: 'asc' } as const) : null;
  const counting = cappedTotal(db, rowsOf(db, find('counted', toCount), order), COUNT_CAP);
  const { country, search } = filter;
  if (country !== null && search !== '') {
    const counts = await counting;
    // Of more matches than are counted, to sort all would cost more the more there are.
    if (!counts.totalIsCapped) {
      const { from } = find(filter.sort, { ...toCount, few: toCount.few ?? [] });
      return { ...(await readPreferred(db, from, paging, viewerId, country)), ...counts };
    }
  }
  const shown = paging.limit * (typeof paging.page === 'number' ? paging.page : 1);
  const found = find(filter.sort, narrowed(shown));
  const [page, counts] = await Promise.all([readPage(db, found, paging, viewerId), counting]);
  return { ...page, ...counts };
}

/** At least as many of the rows as are counted. */
function rowsOf(db: Database, found: Found, order: { key: typeof LAST_DAY; direction: 'asc' } | null) {
  if (found.asks.length > 0) return walk(found, order, [], { wanted: COUNT_CAP + 1, reach: found.reach });
  return db
    .selectFrom(found.from.as('coupons'))
    .select('id')
    .$if(order !== null, (query) => query.orderBy(LAST_DAY));
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
