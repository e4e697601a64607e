import { PERSONAL_CATEGORIES } from '#contract/coupons.ts';

/** One deal, as the columns of other tables name it. */
export type DealKey = { readonly exchangeId: number } | { readonly bidId: number };

interface TradableCoupon {
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  readonly expiryDate: string | null;
}

/**
 * Why a coupon cannot change hands on a day (`YYYY-MM-DD`, UTC); null when it can. It is valid to the end of its
 * last day (decisions 2.3); public codes are for personal use (decisions 2.6).
 */
export function tradeObstacle(coupon: TradableCoupon, today: string): string | null {
  if (PERSONAL_CATEGORIES.some((category) => category === coupon.category)) {
    return 'Public codes are for personal use and can be neither swapped nor sold';
  }
  if (coupon.expiryDate !== null && coupon.expiryDate < today) return `“${coupon.title}” has expired`;
  if (coupon.deletedAt !== null || !coupon.isActive) return `“${coupon.title}” is no longer available`;
  return null;
}
