import { sql } from 'kysely';
import { ASKS } from './coupon-filter.ts';

const want = (column: string) => sql.ref(`want.${column}`);
const isMissing = (column: string) => sql<boolean>`${want(column)} is null`;

/** Whether a coupon is what a want (both joined) asks for: the same as in a search, and the country. */
export function isWanted(now: Date) {
  return sql<boolean>`(
    (${isMissing('wantedCategory')} or ${ASKS.category(sql`want.wanted_category`)})
    and (${isMissing('merchantPatterns')} or ${ASKS.merchant(sql`want.merchant_patterns`)})
    and (${isMissing('searchPatterns')} or ${ASKS.search(sql`want.search_patterns`)})
    and (want.low < 0 or ${ASKS.value(sql`want.low`, sql`want.high`)})
    and (${isMissing('expiryDays')} or ${ASKS.endsBy(sql`${now}::timestamptz + want.expiry_days * interval '24 hours'`)})
    and (${isMissing('region')} or coupons.regions = '{}' or want.region = any(coupons.regions)))`;
}

/** The columns of `wants` under names that no column of a coupon has. */
export const WANT_COLUMNS = sql`wants.id as want_id, user_id, category as wanted_category, merchant_patterns, search_patterns, low, high,
  expiry_days, region`;
