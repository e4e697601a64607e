import { PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import type { Database } from '#server/database/client.ts';
import { type Found, live } from './matching-store.ts';
import { type CouponList, countOf, readPage, type SortedPaging } from './pages-store.ts';
import { mentions } from './search-store.ts';

interface OwnFilter {
  readonly ownerId: number;
  readonly search: string;
}

function owned(db: Database, { ownerId, search }: OwnFilter) {
  const source = db
    .selectFrom('coupons')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null);
  return db
    .selectFrom(source.as('coupons'))
    .selectAll()
    .$if(search !== '', (query) => query.where(mentions(search)));
}

/** Listed coupons of a person that are open to offers. Public codes are for personal use. */
function askable(db: Database, { ownerId, search, today }: OwnFilter & { readonly today: string }) {
  const source = live(db, today)
    .where('ownerId', '=', ownerId)
    .where('isOpenToOffers', '=', true)
    .where('category', 'not in', [...PERSONAL_CATEGORIES]);
  return db
    .selectFrom(source.as('coupons'))
    .selectAll()
    .$if(search !== '', (query) => query.where(mentions(search)));
}

export function listAskableCoupons(
  db: Database,
  filter: OwnFilter & { readonly today: string },
  paging: SortedPaging,
  viewerId: number,
) {
  return readPage(db, listOf(askable(db, filter), filter), paging, viewerId);
}

export function listOwnCoupons(db: Database, filter: OwnFilter, paging: SortedPaging) {
  return readPage(db, listOf(owned(db, filter), filter), paging, filter.ownerId);
}

function listOf(from: Found['from'], { search }: OwnFilter): CouponList {
  return {
    found: { from, asks: [], reach: 0 },
    isPlain: search === '',
    isCountedOnTheWay: true,
    count: () => countOf(from),
  };
}
