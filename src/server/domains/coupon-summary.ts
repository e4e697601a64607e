import { type RawBuilder, sql } from 'kysely';
import type { CouponSummary } from '#contract/coupons.ts';

/** The summary of a joined coupon as one JSON column. It contains only public fields. */
export function couponSummary(table: string): RawBuilder<CouponSummary> {
  const column = (name: Exclude<keyof CouponSummary, 'imageUrl'> | 'pictureId') =>
    sql.ref(`${table}.${name}`);
  const picture = column('pictureId');
  // As pictureUrl of contract/pictures.ts writes it.
  const imageUrl = sql`'/api/pictures/' || ${picture} || '/' || substring(${picture} from '-(\\d+)x\\d+$') || '.webp'`;
  return sql<CouponSummary>`json_build_object(
    'id', ${column('id')}, 'title', ${column('title')}, 'merchant', ${column('merchant')},
    'value', ${column('value')}, 'discountType', ${column('discountType')},
    'expiryDate', ${column('expiryDate')}, 'imageUrl', ${imageUrl}, 'ownerId', ${column('ownerId')})`;
}
