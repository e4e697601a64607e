import { type RawBuilder, sql } from 'kysely';
import type { StoredCategory } from '#contract/coupons/choices.ts';

/** When a coupon's last day ends, 'infinity' if it never expires; written exactly as in the indexes. */
export const ENDS_AT = sql<Date>`coalesce(expires_at, 'infinity'::timestamptz)`;
/** What coupons are ranked by from the lowest value up; percentages are outside every range of values. */
export const HIGH_RANK = sql<number>`(case when discount_type = 'fixed' then value else -1 end)`;

/** The largest value that a range without an upper bound takes in. */
export const HIGHEST = 2_147_483_646;

type Given<Value> = RawBuilder<Value>;

/** Whether a coupon has expired or has at most so many days left, as `daysLeft` counts them; a range of the indexes. */
export const hasAtMostDaysLeft = (days: Given<number>, now: Date) =>
  sql<boolean>`${ENDS_AT} < ${now}::timestamptz + ${days} * interval '24 hours'`;

/**
 * The condition of each filter. Searches and wants share it, so that a want finds exactly what its search would. A text
 * has several patterns or regular expressions, of one folded word each.
 */
export const ASKS = {
  category: (value: Given<string>) => sql<boolean>`coupons.category = ${value}`,
  merchant: (patterns: Given<string[]>) => sql<boolean>`coupons.merchant_text like all (${patterns})`,
  search: (regexes: Given<string[]>) => sql<boolean>`coupons.search_text ~ all (${regexes})`,
  value: (low: Given<number>, high: Given<number>) => sql<boolean>`${HIGH_RANK} between ${low} and ${high}`,
  checkedSince: (instant: Given<Date>) =>
    sql<boolean>`(coupons.checked_at >= ${instant} and coupons.is_verified)`,
  /** As the indexes of prices have it. */
  askingPrice: sql<boolean>`coupons.asking_price is not null`,
  daysLeft: hasAtMostDaysLeft,
} as const;

interface SimpleFilters {
  readonly category?: StoredCategory | undefined;
  /** The most days left; setting it leaves out coupons that never expire. */
  readonly expiryDays?: number | undefined;
  readonly now: Date;
  /** Only codes that the merchant's own programme has confirmed since. */
  readonly checkedSince: Date | undefined;
}

/** The conditions of a search's filters, but for texts and values: those depend on the order of its list. */
export function asksOf({ category, expiryDays, now, checkedSince }: SimpleFilters): RawBuilder<boolean>[] {
  return [
    ...(category === undefined ? [] : [ASKS.category(sql.val(category))]),
    ...(expiryDays === undefined ? [] : [ASKS.daysLeft(sql.val(expiryDays), now)]),
    ...(checkedSince === undefined ? [] : [ASKS.checkedSince(sql.val(checkedSince))]),
  ];
}

const want = (column: string) => sql.ref(`want.${column}`);
const isMissing = (column: string) => sql<boolean>`${want(column)} is null`;

/** Whether a coupon is what a want (both joined) asks for: the same as in a search, and the country. */
export function isWanted(now: Date) {
  return sql<boolean>`(
    (${isMissing('wantedCategory')} or ${ASKS.category(sql`want.wanted_category`)})
    and (${isMissing('merchantPatterns')} or ${ASKS.merchant(sql`want.merchant_patterns`)})
    and (${isMissing('searchRegexes')} or ${ASKS.search(sql`want.search_regexes`)})
    and (want.low < 0 or ${ASKS.value(sql`want.low`, sql`want.high`)})
    and (${isMissing('expiryDays')} or ${ASKS.daysLeft(sql`want.expiry_days`, now)})
    and (${isMissing('checkedDays')}
      or ${ASKS.checkedSince(sql`${now}::timestamptz - want.checked_days * interval '24 hours'`)})
    and (${isMissing('hasAskingPrice')} or ${ASKS.askingPrice})
    and (${isMissing('region')} or coupons.regions = '{}' or want.region = any(coupons.regions)))`;
}

/** The columns of `wants` under names that no column of a coupon has. */
export const WANT_COLUMNS = sql`wants.id as want_id, user_id, category as wanted_category, merchant_patterns, search_regexes, low, high,
  expiry_days, checked_days, has_asking_price, region`;
