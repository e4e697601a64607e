import { plural, t } from '@lingui/core/macro';
import { countryName } from '#contract/base/countries.ts';
import { paths } from '#contract/base/pages.ts';
import { FILTERS_ADDRESS, type FilterValues, NO_FILTERS } from '#contract/coupons/coupon-filters.ts';
import type { Gives, Want } from '#contract/coupons/wants.ts';
import { activeFilters } from '#web/coupons/search/active-filters.ts';

/** The filters of a search that a want asks for. */
export function filtersOf(want: Want): FilterValues {
  const values = Object.entries(NO_FILTERS).map(([name, none]) => [
    name,
    want[name as keyof FilterValues] ?? none,
  ]);
  return Object.fromEntries(values) as FilterValues;
}

/** What a want asks for, in a few words: '“coffee” · Food · At most $10.00 CAD'. */
export function titleOf(want: Want): string {
  return [
    ...(want.search ? [t`“${want.search}”`] : []),
    ...activeFilters(filtersOf(want)).map(({ label }) => label),
    ...(want.region ? [t`Valid in ${countryName(want.region)}`] : []),
  ].join(' · ');
}

export const GIVES_NAMES: Record<Gives, string> = {
  any: t`Any coupon of mine`,
  some: t`Some of mine`,
  nothing: t`Nothing, just alert me`,
};

/** What the person would give for a coupon that a want finds. */
export function givesText({ gives, giftIds }: Want): string {
  if (gives === 'nothing') return t`I would give nothing: just alert me`;
  return gives === 'any'
    ? t`I would give any coupon of mine`
    : t`I would give some of mine (${giftIds.length})`;
}

/** The search on Home that a want keeps. */
export function searchPath(want: Want): string {
  const query = FILTERS_ADDRESS.change(new URLSearchParams(), filtersOf(want));
  return `${paths.home}?${query}`;
}

/** '3 found, 2 new', of what came since the want was made. */
export function findsText({ found, fresh }: Want): string {
  if (found === 0) return t`Nothing new yet. We will alert you.`;
  return fresh > 0
    ? t`${plural(found, { one: '# found', other: '# found' })}, ${plural(fresh, { one: '# new', other: '# new' })}`
    : plural(found, { one: '# found', other: '# found' });
}
