import { type RawBuilder, sql } from 'kysely';
import type { CouponSummary } from '#contract/coupons.ts';

/** The summary of a joined coupon as one JSON column. It contains only public fields. */
export function couponSummary(table: string): RawBuilder<CouponSummary> {
  const column = (name: keyof CouponSummary) => sql.ref(`${table}.${name}`);
  return sql<CouponSummary>`json_build_object(
    'id', ${column('id')}, 'title', ${column('title')}, 'merchant', ${column('merchant')},
    'value', ${column('value')}, 'discountType', ${column('discountType')},
    'expiryDate', ${column('expiryDate')}, 'ownerId', ${column('ownerId')})`;
}
