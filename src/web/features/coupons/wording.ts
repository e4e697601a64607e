import { type Coupon, daysLeft, PERSONAL_CATEGORIES, type StoredCategory } from '#contract/coupons.ts';
import { type Cents, centsToDecimal, decimalToCents } from '#contract/money.ts';

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

/** Hundredths from what somebody typed ('10', '9.5', ' 9.50 '); null where it is no amount. */
export function parseAmount(text: string): Cents | null {
  try {
    return decimalToCents(text.trim());
  } catch {
    return null;
  }
}

/** An amount as one would type it: '10' or '9.50'. */
export function amountText(cents: Cents): string {
  return centsToDecimal(cents).replace(/\.00$/, '');
}

/** Whether a coupon's last day has passed. */
export function isExpired({ expiryDate }: Pick<Coupon, 'expiryDate'>, now = new Date()): boolean {
  return expiryDate !== null && daysLeft(expiryDate, now) <= 0;
}

/** What its owner and everybody else is told of a coupon that takes no part in deals. */
export const PERSONAL_USE = 'A public code, for personal use';

/** Whether a coupon is a public code, which its owner may use, edit and delete, and nobody swaps (decisions 2.6). */
export function isPersonal({ category }: Pick<Coupon, 'category'>): boolean {
  return PERSONAL_CATEGORIES.includes(category);
}

/** Why nobody can ask for a coupon or bid on it now, in a few words; null when one can. The server has the last word. */
export function dealObstacle(coupon: Coupon): string | null {
  if (isPersonal(coupon)) return PERSONAL_USE;
  if (isExpired(coupon)) return 'Too late for a deal';
  if (coupon.isReserved) return 'Reserved by another deal';
  return coupon.isActive ? null : 'Not listed at the moment';
}
