import {
  type Address,
  defineAddress,
  keyed,
  oneOf,
  type Param,
  pageRef,
  searchText,
} from '#contract/base/address.ts';
import { amountText, type Cents, decimalToCents } from '#contract/base/money.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { PageRef } from '#contract/base/primitives.ts';
import { CATEGORIES } from './choices.ts';
import type { CouponFilters } from './coupons.ts';
import { MERCHANT_MAX, VALUE_MAX } from './limits.ts';
import { CHECKED_CHOICES, EXPIRY_CHOICES, MARKET_SORTS, type MarketSort } from './sorts.ts';

/** An amount as a bound; what is more than any coupon can be worth counts as just more. */
function valueBound(cents: Cents | null): Cents | null {
  return cents !== null && cents >= 0 ? Math.min(cents, VALUE_MAX + 1) : null;
}

/** An amount in an address, which is the same in all languages. */
function plainCents(text: string): Cents | null {
  try {
    return decimalToCents(text);
  } catch {
    return null;
  }
}

const bound: Param<Cents | null> = {
  usual: null,
  read: (text) => valueBound(plainCents(text)) ?? undefined,
  write: (cents) => (cents === null ? '' : amountText(cents)),
};

const onlyNow: Param<true | null> = {
  usual: null,
  read: (text) => (text === 'now' ? true : undefined),
  write: () => 'now',
};

/** The filters and the search, as the address of a list holds them; '' or null means any. The web's `FILTERS` shows them. */
const PARAMS = {
  search: keyed('q', searchText()),
  category: oneOf([null, ...CATEGORIES]),
  minValue: keyed('min', bound),
  maxValue: keyed('max', bound),
  merchant: searchText(MERCHANT_MAX),
  expiryDays: keyed('expires', oneOf(EXPIRY_CHOICES)),
  checkedDays: keyed('checked', oneOf(CHECKED_CHOICES)),
  hasAskingPrice: keyed('buy', onlyNow),
} satisfies Record<keyof CouponFilters, unknown>;

export type FilterValues = {
  readonly [Name in keyof typeof PARAMS]: (typeof PARAMS)[Name] extends Param<infer Value> ? Value : never;
};

/** A list of coupons: its filters, order and page. Bounds of values are in cents of the base currency. */
export interface Filters extends FilterValues {
  readonly sort: MarketSort;
  readonly page: PageRef;
}

/** Resets all filters and the search, but not the order. */
export const NO_FILTERS = Object.fromEntries(
  Object.entries(PARAMS).map(([name, { usual }]) => [name, usual]),
) as FilterValues;

const FIELDS = defineAddress<Filters>({ ...PARAMS, sort: oneOf(MARKET_SORTS), page: pageRef });

const isRange = ({ minValue, maxValue }: Filters) =>
  minValue === null || maxValue === null || minValue <= maxValue;

/**
 * The address of a list of coupons. Of two bounds that contradict each other the new one holds, or neither. The order by
 * price comes with the filter of what has one, and goes with it.
 */
export const FILTERS_ADDRESS: Address<Filters> = {
  read(query) {
    const filters = FIELDS.read(query);
    const { minValue, maxValue } = isRange(filters) ? filters : NO_FILTERS;
    const hasAskingPrice = filters.sort === 'price-low' || filters.hasAskingPrice;
    return { ...filters, minValue, maxValue, hasAskingPrice };
  },
  change(query, change) {
    const wanted = { ...FILTERS_ADDRESS.read(query), page: 1, ...change };
    if (wanted.sort === 'price-low' && change.hasAskingPrice === null) wanted.sort = 'newest';
    const displaced = change.minValue == null ? { minValue: null } : { maxValue: null };
    return FIELDS.change(query, isRange(wanted) ? wanted : { ...wanted, ...displaced });
  },
};

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], null> };

/** Only the values that are set: null and '' are what the API leaves out. */
export function given<Values extends object>(values: Values): Given<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(entries) as Given<Values>;
}

export function toListInput({ sort, page, ...filters }: Filters) {
  return { ...given(filters), sort, page, limit: PAGE_SIZES.coupons };
}

/** The filters and the search alone. */
export function toFilterInput({ sort: _, page: __, ...filters }: Filters) {
  return given(filters);
}

/** Own coupons have a search and an order, but no filters. */
export function toOwnListInput({ search, sort, page }: Filters) {
  return {
    search: search || undefined,
    sort: sort === 'price-low' ? ('newest' as const) : sort,
    page,
    limit: PAGE_SIZES.coupons,
  };
}
