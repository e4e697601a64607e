import { type RawBuilder, sql } from 'kysely';
import type { CouponSummary } from '#contract/coupons/coupons.ts';

/** Whether a coupon has a code, or a picture of one, to hand over. */
export function hasCode(couponId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from coupon_secrets where coupon_id = ${couponId})
    or exists (select from images where images.coupon_id = ${couponId}))`;
}

/** The summary of a joined coupon as one JSON column. It contains only public fields. */
export function couponSummary(table: string): RawBuilder<CouponSummary> {
  const column = (
    name: Exclude<keyof CouponSummary, 'imageUrl' | 'ownerUsername' | 'hasCode'> | 'pictureId',
  ) => sql.ref(`${table}.${name}`);
  const picture = column('pictureId');
  // As pictureUrl of contract/people/pictures.ts writes it.
  const imageUrl = sql`'/api/pictures/' || ${picture} || '/' || substring(${picture} from '-(\\d+)x\\d+$') || '.webp'`;
  const instant = (name: 'expiresAt' | 'reissuedAt') =>
    sql`to_char(${column(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return sql<CouponSummary>`json_build_object(
    'id', ${column('id')}, 'title', ${column('title')}, 'merchant', ${column('merchant')},
    'value', ${column('value')}, 'discountType', ${column('discountType')},
    'expiryDate', ${column('expiryDate')}, 'expiresAt', ${instant('expiresAt')}, 'regions', ${column('regions')},
    'transferable', ${column('transferable')}, 'imageUrl', ${imageUrl}, 'ownerId', ${column('ownerId')},
    'ownerUsername', (select username from users where users.id = ${column('ownerId')}),
    'hasCode', ${hasCode(column('id'))}, 'reissuedAt', ${instant('reissuedAt')})`;
}

/** Whether the owner of a coupon (`coupons`) cannot sell until a moderator has looked. */
export const isSaleStopped = sql<boolean>`exists (
  select from users where users.id = coupons.owner_id and users.sales_stopped_at is not null)`;
