import { FILTERS_ADDRESS, toListInput, toOwnListInput } from '#contract/coupons/coupon-filters.ts';
import { MERCHANT_MAX } from '#contract/coupons/limits.ts';
import {
  LEADERBOARD_CATEGORIES,
  type LeaderboardCategory,
} from '#contract/oversight/leaderboard-categories.ts';
import { defineAddress, keyed, oneOf, pageRef, searchText } from './address.ts';
import { MAX_ID } from './bounds.ts';
import type { PageSettings } from './page-setting.ts';
import { PAGE_SIZES } from './page-sizes.ts';
import { findWebPage, PAGES, paths, type WebPage } from './pages.ts';
import type { PageRef } from './primitives.ts';

/*
 * A page comes with the answers of its first queries. The server reads the inputs of these queries from the address
 * with the same functions as the page, so that the page finds them under the inputs that it asks for.
 */

/** A query by its name in the API, and its input. */
export interface FirstQuery {
  readonly path: string;
  readonly input?: unknown;
}

/** A query, its answer, and its input if it has one, as the page contains them. */
export type FirstAnswer = readonly [path: string, data: unknown, input?: unknown];

/** A page whose first look is rendered on the server. */
export interface FirstLook {
  /** The page's address, with its origin and its language. */
  readonly url: string;
  readonly answers: readonly FirstAnswer[];
  readonly settings: PageSettings;
}

/** Renders a page as its visitors see it first, as HTML. */
export type RenderPage = (look: FirstLook) => Promise<string>;

/** The element with the answers. */
export const FIRST_ANSWERS_ID = 'first-answers';

/** The tab of the leaderboard. */
export const LEADERBOARD_ADDRESS = defineAddress({ tab: oneOf(LEADERBOARD_CATEGORIES) });

/** The tab of My Coupons. */
export const MY_COUPONS_ADDRESS = defineAddress({ tab: oneOf(['own', 'saved']) });

/** The search, the open merchant (by default the first one), and the page of its offers. */
export const DISCOVER_ADDRESS = defineAddress({
  search: keyed('q', searchText(MERCHANT_MAX)),
  merchant: searchText(MERCHANT_MAX),
  page: pageRef,
});

/** The page of a list. */
export const PAGE_ADDRESS = defineAddress({ page: pageRef });

/** The first deals, for the top of Home. */
export const WAITING_DEALS = { limit: 3 };

export function leaderboardInput(category: LeaderboardCategory, page: PageRef) {
  return { category, page, limit: PAGE_SIZES.leaderboard };
}

export function merchantsInput(search: string, page: number) {
  return { search: search || undefined, page, limit: PAGE_SIZES.merchants };
}

export function ratingsInput(id: number, page: PageRef, limit: number = PAGE_SIZES.ratings) {
  return { id, page, limit };
}

export function merchantCouponsInput(merchant: string, page: PageRef) {
  return { merchant, page, limit: PAGE_SIZES.coupons };
}

/** The name in the path of a merchant's page; null if it is none. */
export function merchantIn(parameter: string | null): string | null {
  try {
    return decodeURIComponent(parameter ?? '').trim() || null;
  } catch {
    return null;
  }
}

/** The id in the path of a page; null if it is none. */
export function idIn(parameter: string | null): number | null {
  const id = /^\d{1,10}$/.test(parameter ?? '') ? Number(parameter) : 0;
  return id >= 1 && id <= MAX_ID ? id : null;
}

/** The coupon on whose page somebody was before the sign-in; null if they come from elsewhere. @param from path and query */
export function couponCameFrom(from: string): number | null {
  const found = findWebPage(from.replace(/\?.*/s, ''));
  return found?.page === PAGES.coupon ? idIn(found.parameter) : null;
}

/** The parameters of a coupon's page that open its dialogs. */
const COUPON_DIALOGS: readonly string[] = ['exchange', 'bid', 'buy', 'validate'];

/**
 * The path of the coupon's page on which somebody was before the sign-in, with the dialog that they asked for, and with
 * nothing else of `from`: it goes into a mail. Null if they come from elsewhere.
 */
export function couponPathIn(from: string): string | null {
  const id = couponCameFrom(from);
  if (id === null) return null;
  const asked = [...new URLSearchParams(from.replace(/^[^?]*/, ''))];
  const dialog = asked.find(([name, value]) => COUPON_DIALOGS.includes(name) && value === '1');
  return dialog ? `${paths.coupon(id)}?${dialog[0]}=1` : paths.coupon(id);
}

/** The queries of a page's first screen, besides who looks at it. */
export function firstQueries(page: WebPage, parameter: string | null, query: URLSearchParams): FirstQuery[] {
  const id = idIn(parameter);
  switch (page) {
    case PAGES.home:
      return [
        { path: 'coupons.list', input: toListInput(FILTERS_ADDRESS.read(query)) },
        // They decide what stands above the list.
        { path: 'deals.list', input: WAITING_DEALS },
        { path: 'deals.count' },
        { path: 'matches.count' },
        { path: 'drafts.count' },
        { path: 'sellers.readiness' },
      ];
    case PAGES.myCoupons:
      return [
        MY_COUPONS_ADDRESS.read(query).tab === 'own'
          ? { path: 'coupons.mine', input: toOwnListInput(FILTERS_ADDRESS.read(query)) }
          : { path: 'coupons.saved', input: { ...PAGE_ADDRESS.read(query), limit: PAGE_SIZES.coupons } },
        { path: 'matches.count' },
        { path: 'drafts.count' },
      ];
    case PAGES.coupon:
      return id === null
        ? []
        : [
            { path: 'coupons.byId', input: { id } },
            { path: 'coupons.feedback', input: { id } },
            { path: 'health.ofCoupon', input: { id } },
            { path: 'bids.priceHint', input: { id } },
            { path: 'profiles.ofCouponOwner', input: { id } },
            { path: 'proofs.exposure', input: { id } },
            { path: 'coupons.related', input: { id } },
            { path: 'matches.forCoupon', input: { couponId: id } },
            { path: 'deals.forCoupon', input: { id } },
          ];
    case PAGES.auth: {
      const couponId = couponCameFrom(query.get('from') ?? '');
      const coupon = { path: 'coupons.byId', input: { id: couponId } };
      return [{ path: 'accounts.registrationPlace' }, ...(couponId === null ? [] : [coupon])];
    }
    case PAGES.merchant: {
      const name = merchantIn(parameter);
      return name === null
        ? []
        : [
            { path: 'merchants.byName', input: { name } },
            { path: 'health.ofMerchant', input: { name } },
            { path: 'coupons.ofMerchant', input: merchantCouponsInput(name, PAGE_ADDRESS.read(query).page) },
          ];
    }
    case PAGES.user:
      return id === null
        ? []
        : [
            { path: 'profiles.byId', input: { id } },
            { path: 'ratings.ofUser', input: ratingsInput(id, PAGE_ADDRESS.read(query).page) },
          ];
    case PAGES.leaderboard: {
      const { tab } = LEADERBOARD_ADDRESS.read(query);
      return [{ path: 'leaderboard.list', input: leaderboardInput(tab, PAGE_ADDRESS.read(query).page) }];
    }
    case PAGES.discover:
      return [{ path: 'discover.list', input: merchantsInput(DISCOVER_ADDRESS.read(query).search, 1) }];
    default:
      return [];
  }
}
