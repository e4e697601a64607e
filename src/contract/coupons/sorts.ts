export const COUPON_SORTS = ['newest', 'oldest', 'value-high', 'value-low', 'expiry', 'reliable'] as const;
export type CouponSort = (typeof COUPON_SORTS)[number];

/** The orders of the market. The one by price has only coupons with an asking price. */
export const MARKET_SORTS = [...COUPON_SORTS, 'price-low'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];

/** The choices of the expiry filter, in days from now; null is any time. */
export const EXPIRY_CHOICES = [null, 7, 30, 90, 365] as const;

/** The choices of the filter by when the merchant's own programme last confirmed the code, in days until now; null: any. */
export const CHECKED_CHOICES = [null, 30] as const;

/** Shorter search terms only search the newest coupons, because the trigram index needs three characters. */
export const FULL_SEARCH_MIN = 3;
/** How many of the newest coupons a shorter term searches. */
export const SHORT_SEARCH_REACH = 2_000;
