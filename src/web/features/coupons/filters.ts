import {
  CATEGORIES,
  COUPON_SORTS,
  type CouponSort,
  EXPIRY_CHOICES,
  listCouponsInputSchema,
  type listOwnCouponsInputSchema,
  MERCHANT_MAX,
} from '#contract/coupons.ts';
import { BASE_CURRENCY, type Cents, decimalToCents, formatMoney } from '#contract/money.ts';
import type { PageRef } from '#contract/primitives.ts';
import {
  type Address,
  type ChangeAddress,
  defineAddress,
  keyed,
  oneOf,
  type Param,
  pageRef,
  searchText,
} from '#web/lib/address.ts';
import { amountText, CATEGORY_NAMES } from './wording.ts';

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

export const EXPIRY_NAMES: Record<`${ExpiryDays}`, string> = {
  null: 'Any time',
  7: 'Next 7 days',
  30: 'Next 30 days',
  90: 'Next 3 months',
  365: 'Next year',
};

export const SORT_NAMES: Record<CouponSort, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  'value-high': 'Value: high to low',
  'value-low': 'Value: low to high',
  expiry: 'Expiring soon',
};

/** Resets all filters and the search, but not the order. */
export const NO_FILTERS = {
  search: '',
  category: null,
  merchant: '',
  minValue: null,
  maxValue: null,
  expiryDays: null,
} as const satisfies Partial<Filters>;

/** An amount as a bound; null if it is more than any coupon can be worth. */
export function valueBound(cents: Cents | null): Cents | null {
  return listCouponsInputSchema.shape.minValue.safeParse(cents ?? undefined).data ?? null;
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

export type ChangeFilters = ChangeAddress<Filters>;

/** One filter that is set: what it says, and the change that takes it off. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: Partial<Filters>;
}

/** The filters that are set, without the search. */
export function activeFilters(filters: Filters): ActiveFilter[] {
  const { category, merchant, minValue, maxValue, expiryDays } = filters;
  const active: ActiveFilter[] = [];
  if (category) active.push({ label: CATEGORY_NAMES[category], without: { category: null } });
  if (minValue !== null) {
    const label = `At least ${formatMoney(minValue, BASE_CURRENCY)}`;
    active.push({ label, without: { minValue: null } });
  }
  if (maxValue !== null) {
    active.push({ label: `At most ${formatMoney(maxValue, BASE_CURRENCY)}`, without: { maxValue: null } });
  }
  if (merchant) active.push({ label: `Merchant: ${merchant}`, without: { merchant: '' } });
  if (expiryDays !== null) {
    const label = `Expires: ${EXPIRY_NAMES[expiryDays].toLowerCase()}`;
    active.push({ label, without: { expiryDays: null } });
  }
  return active;
}

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
