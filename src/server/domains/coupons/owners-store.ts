import { sql } from 'kysely';
import { type CouponSort, PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { allOf, type Found, live } from './matching-store.ts';
import { type CouponList, countOf, firstPages, readPage, type SortedPaging } from './pages-store.ts';
import { mentions } from './search-store.ts';

interface OwnFilter {
  readonly ownerId: number;
  /** Folded words. */
  readonly search: readonly string[];
}

function owned(db: Database | Trx, { ownerId, search }: OwnFilter) {
  const source = db
    .selectFrom('coupons')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null);
  return db
    .selectFrom(source.as('coupons'))
    .selectAll()
    .$if(search.length > 0, (query) => query.where(mentions(search)));
}

/** Listed coupons of a person that are open to offers. Public codes are for personal use. */
function askable(
  db: Database | Trx,
  { ownerId, search, now }: OwnFilter & { readonly now: Date },
  sort: CouponSort,
) {
  const source = live(db, now)
    .where('ownerId', '=', ownerId)
    // No live coupon is deleted; the index of a person's coupons in order asks for it.
    .where('deletedAt', 'is', null)
    .where('isOpenToOffers', '=', true)
    .where('category', 'not in', [...PERSONAL_CATEGORIES])
    // An index has them in the orders by time. For the others they are all read: everybody's, in order, may be more.
    .$if(sort !== 'newest' && sort !== 'oldest', (query) => query.offset(sql.lit(0)));
  return db
    .selectFrom(source.as('coupons'))
    .selectAll()
    .$if(search.length > 0, (query) => query.where(mentions(search)));
}

const FIRST_PAGES = {
  askable: firstPages((db, sort, { ownerId, now }: { ownerId: number; now: Date }) =>
    allOf(askable(db, { ownerId, now, search: [] }, sort)),
  ),
  owned: firstPages((db, _, { ownerId }: { ownerId: number }) => allOf(owned(db, { ownerId, search: [] }))),
};

export async function listAskableCoupons(
  db: Database,
  filter: OwnFilter & { readonly now: Date },
  paging: SortedPaging,
  viewerId: number,
) {
  const first = filter.search.length === 0 && (await FIRST_PAGES.askable(db, paging, filter, viewerId));
  return first || readPage(db, listOf(askable(db, filter, paging.sort)), paging, viewerId);
}

export async function listOwnCoupons(db: Database, filter: OwnFilter, paging: SortedPaging) {
  const first = filter.search.length === 0 && (await FIRST_PAGES.owned(db, paging, filter, filter.ownerId));
  return first || readPage(db, listOf(owned(db, filter)), paging, filter.ownerId);
}

function listOf(from: Found['from']): CouponList {
  return { found: allOf(from), isCountedOnTheWay: false, count: () => countOf(from) };
}
