import { type Address, defineAddress, keyed, oneOf, type Param, pageRef, searchText } from './address.ts';
import {
  CATEGORIES,
  COUPON_SORTS,
  type CouponSort,
  EXPIRY_CHOICES,
  MERCHANT_MAX,
  VALUE_MAX,
} from './coupon-facts.ts';
import type { listOwnCouponsInputSchema } from './coupons.ts';
import { amountText, type Cents, decimalToCents } from './money.ts';
import type { PageRef } from './primitives.ts';

type Category = (typeof CATEGORIES)[number];
export type ExpiryDays = (typeof EXPIRY_CHOICES)[number];

/** The filters of a list of coupons, as its address holds them. '' or null means any. */
export interface Filters {
  readonly search: string;
  readonly category: Category | null;
  readonly merchant: string;
  /** CAD. */
  readonly minValue: Cents | null;
  /** CAD. */
  readonly maxValue: Cents | null;
  readonly expiryDays: ExpiryDays;
  readonly sort: CouponSort;
  readonly page: PageRef;
}

export const PAGE_SIZE = 6;

/** Resets all filters and the search, but not the order. */
export const NO_FILTERS = {
  search: '',
  category: null,
  merchant: '',
  minValue: null,
  maxValue: null,
  expiryDays: null,
} as const satisfies Partial<Filters>;

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

const FIELDS = defineAddress<Filters>({
  search: keyed('q', searchText()),
  category: oneOf([null, ...CATEGORIES]),
  merchant: searchText(MERCHANT_MAX),
  minValue: keyed('min', bound),
  maxValue: keyed('max', bound),
  expiryDays: keyed('expires', oneOf(EXPIRY_CHOICES)),
  sort: oneOf(COUPON_SORTS),
  page: pageRef,
});

const isRange = ({ minValue, maxValue }: Filters) =>
  minValue === null || maxValue === null || minValue <= maxValue;

/** The address of a list of coupons. Of two bounds that contradict each other the new one holds, or neither. */
export const FILTERS_ADDRESS: Address<Filters> = {
  read(query) {
    const filters = FIELDS.read(query);
    return isRange(filters) ? filters : { ...filters, minValue: null, maxValue: null };
  },
  change(query, change) {
    const wanted = { ...FILTERS_ADDRESS.read(query), page: 1, ...change };
    const displaced = change.minValue == null ? { minValue: null } : { maxValue: null };
    return FIELDS.change(query, isRange(wanted) ? wanted : { ...wanted, ...displaced });
  },
};

export function toListInput(filters: Filters) {
  const { category, minValue, maxValue, expiryDays, merchant } = filters;
  return {
    ...toOwnListInput(filters),
    category: category ?? undefined,
    merchant: merchant || undefined,
    minValue: minValue ?? undefined,
    maxValue: maxValue ?? undefined,
    expiryDays: expiryDays ?? undefined,
  };
}

type OwnListInput = Parameters<typeof listOwnCouponsInputSchema.parse>[0];

/** Own coupons have a search and an order, but no filters. */
export function toOwnListInput({ search, sort, page }: Filters) {
  return { search: search || undefined, sort, page, limit: PAGE_SIZE } satisfies OwnListInput;
}
