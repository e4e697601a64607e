import { type RawBuilder, sql } from 'kysely';

/** When a coupon's last day ends, 'infinity' if it never expires; written exactly as in the indexes. */
export const ENDS_AT = sql<Date>`coalesce(expires_at, 'infinity'::timestamptz)`;
/** What coupons are ranked by from the lowest value up; percentages are outside every range of values. */
export const HIGH_RANK = sql<number>`(case when discount_type = 'fixed' then value else -1 end)`;

/** The largest value that a range without an upper bound takes in. */
export const HIGHEST = 2_147_483_646;

type Given<Value> = RawBuilder<Value>;

/**
 * What each filter asks of a coupon. The searches and the wants share it, so that a want finds exactly what its search
 * would: a text meets several patterns, of one folded word each.
 */
export const ASKS = {
  category: (value: Given<string>) => sql<boolean>`coupons.category = ${value}`,
  merchant: (patterns: Given<string[]>) => sql<boolean>`coupons.merchant_text like all (${patterns})`,
  search: (patterns: Given<string[]>) => sql<boolean>`coupons.search_text like all (${patterns})`,
  value: (low: Given<number>, high: Given<number>) => sql<boolean>`${HIGH_RANK} between ${low} and ${high}`,
  endsBy: (instant: Given<Date>) => sql<boolean>`${ENDS_AT} <= ${instant}`,
} as const;
