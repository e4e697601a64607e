import { t } from '@lingui/core/macro';
/** All categories in the database. */
export const STORED_CATEGORIES = [
  'food',
  'retail',
  'entertainment',
  'travel',
  'services',
  'other',
  'imported',
  'verified',
  'scraped',
] as const;
export type StoredCategory = (typeof STORED_CATEGORIES)[number];

/** The categories that people choose from. */
export const CATEGORIES = ['food', 'retail', 'entertainment', 'travel', 'services', 'other'] as const;

/** Categories of public codes, which are for personal use and never part of a deal (decisions 2.6). */
export const PERSONAL_CATEGORIES: readonly StoredCategory[] = ['imported', 'scraped'];

export const DISCOUNT_TYPES = ['fixed', 'percentage'] as const;
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

/** Whether the merchant takes a coupon from somebody else than the person it was given to. */
export const TRANSFERABLE = ['unknown', 'yes', 'no'] as const;
export type Transferable = (typeof TRANSFERABLE)[number];

/** A percentage is stored times 100 like money: 10000 is 100 %. */
export const PERCENTAGE_MAX = 10_000;
/** The largest amount that numeric(10,2) holds, in hundredths. */
export const VALUE_MAX = 99_999_999;

/** Lengths in characters. */
export const TITLE_MIN = 3;
export const TITLE_MAX = 120;
export const DESCRIPTION_MIN = 10;
export const DESCRIPTION_MAX = 2_000;
export const MERCHANT_MIN = 2;
export const MERCHANT_MAX = 80;
export const TERMS_MAX = 2_000;
export const URL_MAX = 2_000;
/** Shops ask for a PIN beside the code of a gift card. */
export const PIN_MAX = 40;
export const CODE_MAX = 200;

export const COUPON_SORTS = ['newest', 'oldest', 'value-high', 'value-low', 'expiry', 'reliable'] as const;
export type CouponSort = (typeof COUPON_SORTS)[number];

/** The choices of the expiry filter, in days from now; null is any time. */
export const EXPIRY_CHOICES = [null, 7, 30, 90, 365] as const;

/** The choices of the filter by when the merchant's own programme last confirmed the code, in days until now; null: any. */
export const CHECKED_CHOICES = [null, 30] as const;

/** Shorter search terms only search the newest coupons, because the trigram index needs three characters. */
export const FULL_SEARCH_MIN = 3;
/** How many of the newest coupons a shorter term searches. */
export const SHORT_SEARCH_REACH = 2_000;

/** Checks a coupon's value: null if it can be, else the message for people. */
export function checkValue(fields: { value: number; discountType: DiscountType }): string | null {
  const isTooMuch = fields.discountType === 'percentage' && fields.value > PERCENTAGE_MAX;
  return isTooMuch ? t`A percentage can be at most 100` : null;
}

/** How many characters of the code the owner's card shows at most; never more than half of it (decisions 2.1). */
export const CODE_PREVIEW_LENGTH = 10;
/** What the card shows to everybody else. */
export const CODE_MASK = '••••••••';

const DAY_MS = 86_400_000;

/**
 * Days left of a coupon: 1 on its last day, 0 or less when it has expired. Whatever counts them counts them here, or in SQL
 * by `hasAtMostDaysLeft`.
 * @param expiresAt the last millisecond of its last day
 */
export function daysLeft(expiresAt: string | Date, now: Date): number {
  return Math.floor((new Date(expiresAt).getTime() - now.getTime()) / DAY_MS) + 1;
}

/** How many coupons a browser remembers as recently viewed. */
export const VIEWED_MAX = 12;

/** How long an owner may take back that a coupon is used. */
export const UNDO_USED_HOURS = 24;
