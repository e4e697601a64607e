import { COUNT_CAP } from '#contract/bounds.ts';
import { PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import type { Database } from '#server/database/client.ts';
import { cappedTotal } from '#server/database/paging.ts';
import { live } from './matching-store.ts';
import { mentions } from './search-store.ts';
import { readPage, type SortedPaging } from './store.ts';

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

export async function listAskableCoupons(
  db: Database,
  filter: OwnFilter & { readonly today: string },
  paging: SortedPaging,
  viewerId: number,
) {
  const [page, counts] = await Promise.all([
    readPage(db, { from: askable(db, filter), asks: [], reach: 0 }, paging, viewerId),
    cappedTotal(db, askable(db, filter), COUNT_CAP),
  ]);
  return { ...page, ...counts };
}

export async function listOwnCoupons(db: Database, filter: OwnFilter, paging: SortedPaging) {
  const [page, counts] = await Promise.all([
    readPage(db, { from: owned(db, filter), asks: [], reach: 0 }, paging, filter.ownerId),
    cappedTotal(db, owned(db, filter), COUNT_CAP),
  ]);
  return { ...page, ...counts };
}
