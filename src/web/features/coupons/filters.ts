import {
  CATEGORIES,
  COUPON_SORTS,
  type CouponSort,
  EXPIRY_CHOICES,
  listCouponsInputSchema,
  type listOwnCouponsInputSchema,
} from '#contract/coupons.ts';
import { BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import { amountText, parseAmount } from './amounts.ts';
import { CATEGORY_NAMES } from './categories.ts';

type Category = (typeof CATEGORIES)[number];
export type ExpiryDays = (typeof EXPIRY_CHOICES)[number];

/** What a list of coupons shows: all that its address says. Nothing chosen is '' or null. */
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
  readonly page: number;
}

/** Coupons on one page of a list. */
export const PAGE_SIZE = 6;
/** As far as page numbers go: rows are not counted beyond it. */
const MAX_PAGE = Math.ceil(COUNT_CAP / PAGE_SIZE);

const fields = listCouponsInputSchema.shape;

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

/** No filter and no search. The order stays as it is. */
export const NO_FILTERS = {
  search: '',
  category: null,
  merchant: '',
  minValue: null,
  maxValue: null,
  expiryDays: null,
} as const satisfies Partial<Filters>;

/** Reads the address; whatever makes no sense in it is as if it were not there. */
export function readFilters(params: URLSearchParams): Filters {
  const [minValue, maxValue] = [readAmount(params, 'min'), readAmount(params, 'max')];
  const isRange = minValue === null || maxValue === null || minValue <= maxValue;
  const page = Number(params.get('page') ?? '');
  return {
    search: fields.search.safeParse(params.get('q') ?? '').data ?? '',
    category: CATEGORIES.find((known) => known === params.get('category')) ?? null,
    merchant: fields.merchant.safeParse(params.get('merchant') ?? '').data ?? '',
    minValue: isRange ? minValue : null,
    maxValue: isRange ? maxValue : null,
    expiryDays: EXPIRY_CHOICES.find((days) => String(days) === params.get('expires')) ?? null,
    sort: COUPON_SORTS.find((known) => known === params.get('sort')) ?? 'newest',
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

function readAmount(params: URLSearchParams, key: string): Cents | null {
  return valueBound(params.get(key) ?? '');
}

/** A bound for values from a text; null where it is none, or beyond what a coupon can be worth. */
export function valueBound(text: string): Cents | null {
  return fields.minValue.safeParse(parseAmount(text) ?? undefined).data ?? null;
}

/**
 * The address after a change; all but the page begins at the first page again, and a bound that contradicts a new
 * one gives way to it. Other parameters stay.
 */
export function writeFilters(params: URLSearchParams, change: Partial<Filters>): URLSearchParams {
  const next = new URLSearchParams(params);
  const wanted = { ...readFilters(params), page: 1, ...change };
  const { search, category, merchant, expiryDays, sort, page } = wanted;
  const isRange = wanted.minValue === null || wanted.maxValue === null || wanted.minValue <= wanted.maxValue;
  const minValue = isRange || change.minValue != null ? wanted.minValue : null;
  const maxValue = isRange || minValue === null ? wanted.maxValue : null;
  const write = (key: string, value: string | null) => {
    if (value) next.set(key, value);
    else next.delete(key);
  };
  write('q', search.trim());
  write('category', category);
  write('merchant', merchant.trim());
  write('min', minValue === null ? null : amountText(minValue));
  write('max', maxValue === null ? null : amountText(maxValue));
  write('expires', expiryDays === null ? null : String(expiryDays));
  write('sort', sort === 'newest' ? null : sort);
  write('page', page === 1 ? null : String(page));
  return next;
}

/** One filter that is set: what it says, and the change that takes it off. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: Partial<Filters>;
}

/** The filters that are set, the search apart: it has a box of its own. */
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

/** What to ask the server for. */
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

/** What to ask for of the viewer's own coupons: only the search and the order count there. */
export function toOwnListInput({ search, sort, page }: Filters) {
  return { search: search || undefined, sort, page, limit: PAGE_SIZE } satisfies OwnListInput;
}
