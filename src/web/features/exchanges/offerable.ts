import { type Coupon, daysLeft, PERSONAL_CATEGORIES } from '#contract/coupons.ts';

/** Why an own coupon cannot be offered now; null when it can. The server has the last word. */
function obstacleOf(coupon: Coupon, now: Date): string | null {
  if (PERSONAL_CATEGORIES.includes(coupon.category)) return 'a public code for personal use';
  if (coupon.expiryDate !== null && daysLeft(coupon.expiryDate, now) <= 0) return 'expired';
  if (coupon.isReserved) return 'reserved by another deal';
  return coupon.isActive ? null : 'not listed';
}

/**
 * The coupons that can be offered, and, where that leaves none, one line that says why the others cannot.
 * @param coupons the viewer's own
 */
export function offerable(
  coupons: readonly Coupon[],
  now: Date,
): { coupons: Coupon[]; whyNone: string | null } {
  const obstacles = coupons.map((coupon) => obstacleOf(coupon, now));
  const left = coupons.filter((_, index) => obstacles[index] === null);
  const reasons = [...new Set(obstacles.filter((obstacle) => obstacle !== null))];
  if (left.length > 0 || reasons.length === 0) return { coupons: left, whyNone: null };
  const each = coupons.length === 1 ? 'The one you have is' : 'Each of yours is';
  return {
    coupons: [],
    whyNone: `${each} ${new Intl.ListFormat('en', { type: 'disjunction' }).format(reasons)}.`,
  };
}
