import { sql } from 'kysely';
import { type CouponSort, PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { allOf, type Found, live } from './matching-store.ts';
import { type CouponList, countOf, readPage, type SortedPaging } from './pages-store.ts';
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

export function listAskableCoupons(
  db: Database,
  filter: OwnFilter & { readonly now: Date },
  paging: SortedPaging,
  viewerId: number,
) {
  return readPage(db, listOf(askable(db, filter, paging.sort)), paging, viewerId);
}

export function listOwnCoupons(db: Database, filter: OwnFilter, paging: SortedPaging) {
  return readPage(db, listOf(owned(db, filter)), paging, filter.ownerId);
}

function listOf(from: Found['from']): CouponList {
  return { found: allOf(from), isCountedOnTheWay: false, count: () => countOf(from) };
}
