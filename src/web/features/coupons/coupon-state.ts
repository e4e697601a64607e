import { type Coupon, daysLeft, PERSONAL_CATEGORIES } from '#contract/coupons.ts';

/** Whether a coupon's last day has passed. */
export function isExpired({ expiryDate }: Pick<Coupon, 'expiryDate'>, now = new Date()): boolean {
  return expiryDate !== null && daysLeft(expiryDate, now) <= 0;
}

/** Why nobody can ask for a coupon or bid on it now, in a few words; null when one can. The server has the last word. */
export function dealObstacle(coupon: Coupon): string | null {
  if (PERSONAL_CATEGORIES.includes(coupon.category)) return 'A public code, for personal use';
  if (isExpired(coupon)) return 'Too late for a deal';
  if (coupon.isReserved) return 'Reserved by another deal';
  return coupon.isActive ? null : 'Not listed at the moment';
}
