import { t } from '@lingui/core/macro';
import { baseCurrency, type Cents, formatMoney } from '#contract/base/money.ts';
import { type FilterValues, NO_FILTERS } from '#contract/coupons/coupon-filters.ts';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';

export const EXPIRY_NAMES: Record<`${FilterValues['expiryDays']}`, string> = {
  null: t`Any time`,
  7: t`Next 7 days`,
  30: t`Next 30 days`,
  90: t`Next 3 months`,
  365: t`Next year`,
};

export const CONFIRMED_LATELY = t`Code confirmed lately`;
export const BUY_NOW = t`Buy now`;

const money = (cents: Cents) => formatMoney(cents, baseCurrency());

type FilterName = Exclude<keyof FilterValues, 'search'>;

/** The texts of the chips that show what is set, in their order; `contract/coupons/coupon-filters.ts` has the names in the address. */
const TEXTS: { readonly [Name in FilterName]: (value: NonNullable<FilterValues[Name]>) => string } = {
  category: (category) => CATEGORY_NAMES[category],
  minValue: (cents) => t`At least ${money(cents)}`,
  maxValue: (cents) => t`At most ${money(cents)}`,
  merchant: (merchant) => t`Merchant: ${merchant}`,
  expiryDays: (days) => t`Expires: ${EXPIRY_NAMES[days]}`,
  checkedDays: () => CONFIRMED_LATELY,
  hasAskingPrice: () => BUY_NOW,
};

const NAMES = Object.keys(TEXTS) as FilterName[];

function textOf<Name extends FilterName>(name: Name, filters: FilterValues): string | null {
  const value: FilterValues[Name] = filters[name];
  return value === null || value === undefined || value === '' ? null : TEXTS[name](value);
}

/** One filter that is set: the text of its chip, and the change that takes it off. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: Partial<FilterValues>;
}

/** The filters that are set, without the search. */
export function activeFilters(filters: FilterValues): ActiveFilter[] {
  return NAMES.flatMap((name) => {
    const label = textOf(name, filters);
    return label === null ? [] : [{ label, without: { [name]: NO_FILTERS[name] } }];
  });
}
