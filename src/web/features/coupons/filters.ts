import type { CouponSort } from '#contract/coupon-facts.ts';
import type { ExpiryDays, Filters } from '#contract/coupon-filters.ts';
import { BASE_CURRENCY, formatMoney } from '#contract/money.ts';
import type { ChangeAddress } from '#web/lib/address.ts';
import { CATEGORY_NAMES } from './wording.ts';

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
