import {
  type CouponSort,
  type DiscountType,
  FULL_SEARCH_MIN,
  PERSONAL_CATEGORIES,
  type StoredCategory,
} from '#contract/coupons.ts';
import { daySchema, idSchema, instantSchema } from '#contract/primitives.ts';

/** Where a page of coupons ended: the last row's place in the order of its sort, and its id. */
export interface Place {
  /** An instant (newest, oldest), a rank in cents (value-high, value-low), a day or 'infinity' (expiry). */
  readonly key: string | number;
  readonly id: number;
}

/** PostgreSQL's dates begin with the year 1. */
const hasYear = (text: unknown) => typeof text === 'string' && text >= '0001';
const isInstant = (key: unknown) => hasYear(key) && instantSchema.safeParse(key).success;
const isDay = (key: unknown) => key === 'infinity' || (hasYear(key) && daySchema.safeParse(key).success);
const isRank = (key: unknown) => Number.isInteger(key) && Math.abs(Number(key)) <= 2_147_483_647;

const IS_KEY: Record<CouponSort, (key: unknown) => boolean> = {
  newest: isInstant,
  oldest: isInstant,
  'value-high': isRank,
  'value-low': isRank,
  expiry: isDay,
};

/** The opaque text that continues a list after a place; good for the same sort only. */
export function encodeCursor(sort: CouponSort, { key, id }: Place): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

/** What `encodeCursor` made, or null where the text is something else or belongs to another sort. */
export function decodeCursor(sort: CouponSort, cursor: string): Place | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return null;
  const [ofSort, key, id] = parts;
  if (ofSort !== sort || !IS_KEY[sort](key) || !idSchema.safeParse(id).success) return null;
  return { key, id };
}

/** Three word characters in a row, or fewer beside a sign: what the trigram index can look up. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/** Whether a search term has no trigram, so that it may look through the newest coupons only. */
export function isShortTerm(term: string): boolean {
  return term.length < FULL_SEARCH_MIN || !HAS_TRIGRAM.test(term);
}

/** Whether a coupon is a public code: for its owner's own use, on no list, part of no deal (decisions 2.6). */
export function isPersonal(category: StoredCategory): boolean {
  return PERSONAL_CATEGORIES.includes(category);
}

/**
 * The category after an edit. A public code stays one whatever its owner says: otherwise it could be swapped
 * (decisions 2.6).
 */
export function categoryAfterEdit(before: StoredCategory, wanted: StoredCategory): StoredCategory {
  return isPersonal(before) ? before : wanted;
}

/** What of a coupon those who have a pending exchange on it bargain for. */
export interface Terms {
  readonly value: number;
  readonly discountType: DiscountType;
  readonly merchant: string;
  readonly expiryDate: string | null;
  readonly title: string;
  readonly description: string;
  readonly terms: string | null;
}

const TERMS: readonly (keyof Terms)[] = [
  'value',
  'discountType',
  'merchant',
  'expiryDate',
  'title',
  'description',
  'terms',
];

/** Whether an edit changes what others have bargained for; code and pictures are compared apart. */
export function changesTerms(before: Terms, after: Terms): boolean {
  return TERMS.some((key) => before[key] !== after[key]);
}
