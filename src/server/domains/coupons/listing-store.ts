import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { Database } from '#server/database/client.ts';
import { openPage } from '#server/database/paging.ts';
import { ASKS, ENDS_AT } from '../coupon-filter.ts';
import {
  allOf,
  type CouponFilter,
  type Found,
  KEYS,
  live,
  matching,
  type Narrowed,
  narrow,
  type Order,
} from './matching-store.ts';
import {
  COUNTED,
  type CouponList,
  countOf,
  fillPlaces,
  firstOf,
  isUsualFirst,
  readPage,
  readPlaces,
  readTotal,
  readUsualFirst,
  type SortedPaging,
} from './pages-store.ts';
import type { LookedUp } from './search-store.ts';
import { selectCoupons } from './store.ts';
import { walk } from './walking-store.ts';

/** Like a page of `readPage`, with the coupons first that count in a country. Sorts all matches: for few. */
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

/** What a filter by category alone leaves open. */
const NOTHING_ELSE = {
  merchant: [],
  search: [],
  minValue: undefined,
  maxValue: undefined,
  country: null,
  expiresBy: undefined,
  blockedIds: [],
};

/** The coupons of the lists that are asked for most: of all, and of a category. */
function findPlain(db: Database, { category, sort, now }: CouponFilter): Found {
  if (category === undefined || sort === 'newest' || sort === 'oldest') {
    const asked = { ...NOTHING_ELSE, sort, now, category };
    return matching(db, asked, null, sort, { few: null, reach: 0, collecting: [] });
  }
  // A plan for all values expects so few rows of a range that it reads and sorts them all. By value and day, the planner
  // takes the index of the category anyway: through that of all categories, it would have to read more.
  return allOf(live(db, now).where(ASKS.category(sql`${category}`)));
}

/** Live coupons, for any filter, with what was looked up for its texts. */
export async function listCoupons(
  db: Database,
  filter: CouponFilter,
  lookedUp: LookedUp,
  paging: SortedPaging,
  viewerId: number | null,
) {
  const { sort: _, now: __, category, ...others } = filter;
  if (isUsualFirst(paging) && isDeepStrictEqual(others, NOTHING_ELSE)) {
    const name = category === undefined ? 'coupons' : 'coupons of a category';
    return readUsualFirst(db, name, findPlain(db, filter), paging, viewerId);
  }
  const narrowed = await narrow(db, filter, lookedUp);
  const find = (order: Order, given: Narrowed) => matching(db, filter, lookedUp.merchants, order, given);
  const list = listOf(filter, paging, narrowed, find);
  const { country, search } = filter;
  if (country === null || search.length === 0) return readPage(db, list, paging, viewerId);
  // A cursor is of one of two lists: which one, the number of rows tells.
  const places = typeof paging.page === 'number' ? await readPlaces(db, list, paging) : null;
  const { total, totalIsCapped } = places ?? (await readTotal(db, list));
  // Of more matches than are counted, to sort all would cost more the more there are.
  if (totalIsCapped) return fillPlaces(db, places ?? (await readPlaces(db, list, paging)), viewerId);
  const toCount = narrowed(COUNT_CAP);
  const { from } = find(filter.sort, { ...toCount, few: toCount.few ?? [] });
  const preferred = await readPreferred(db, from, paging, viewerId, country);
  return { ...preferred, total, totalIsCapped };
}

function listOf(
  { sort }: CouponFilter,
  { page, limit }: SortedPaging,
  narrowed: (wanted: number) => Narrowed,
  find: (order: Order, given: Narrowed) => Found,
): CouponList {
  const number = typeof page === 'number' ? page : null;
  const [toShow, toCount] = [narrowed(limit * (number ?? 1)), narrowed(COUNT_CAP)];
  const counted = find('counted', toCount);
  const reach = number === null ? toShow.reach : Math.max(toShow.reach, toCount.reach);
  const found = find(sort, { ...toShow, reach });
  return {
    found,
    isCountedOnTheWay: found.walked !== null && counted.walked !== null,
    count() {
      const whole = find(sort, toCount);
      if (toCount.few === null && whole.walked === null) return countOf(firstOf(whole, sort));
      if (counted.walked === null || whole.walked === null) {
        if (counted.names !== null) return countOf(firstOf(counted, 'newest'));
        // The index of the last days starts with the live coupons and skips the expired ones, which only grow in number.
        const isByDay = toCount.few === null;
        return countOf(
          sql`(select from ${counted.from} as coupons ${isByDay ? sql`order by ${ENDS_AT}` : sql``})`,
        );
      }
      const { ctes, first } = walk(
        whole,
        whole.walked,
        { sort, direction: KEYS[sort].direction },
        [],
        COUNTED,
      );
      return sql`(with ${ctes} select ${countOf(first(COUNTED))})`;
    },
  };
}
