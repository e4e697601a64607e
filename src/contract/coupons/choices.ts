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
