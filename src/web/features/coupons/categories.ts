import type { StoredCategory } from '#contract/coupons.ts';

/** What each category is called. */
export const CATEGORY_NAMES: Record<StoredCategory, string> = {
  food: 'Food',
  retail: 'Retail',
  entertainment: 'Entertainment',
  travel: 'Travel',
  services: 'Services',
  other: 'Other',
  imported: 'Imported',
  verified: 'Validated',
  scraped: 'Found online',
};
