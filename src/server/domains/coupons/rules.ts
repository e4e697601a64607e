import {
  type CouponSort,
  type DiscountType,
  FULL_SEARCH_MIN,
  PERSONAL_CATEGORIES,
  type StoredCategory,
} from '#contract/coupons.ts';
import { daySchema, idSchema, instantSchema } from '#contract/primitives.ts';

/** Where a page of coupons ended: the last row's sort key and id. */
export interface Place {
  /** A time (newest, oldest), a rank in cents (value-high, value-low), a day or 'infinity' (expiry). */
  readonly key: string | number;
  readonly id: number;
}

/** PostgreSQL's dates start with the year 1. */
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

/** An opaque cursor that continues a list after a place; valid only for the same sort. */
export function encodeCursor(sort: CouponSort, { key, id }: Place): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

/** Reads a cursor of `encodeCursor`; null if the text is invalid or belongs to another sort. */
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

/** Three word characters in a row, or fewer next to another character: what the trigram index can look up. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/** Whether a search term has no trigram; it then searches only the newest coupons. */
export function isShortTerm(term: string): boolean {
  return term.length < FULL_SEARCH_MIN || !HAS_TRIGRAM.test(term);
}

/** Whether a coupon is an imported public code: for its owner's own use, on no list, in no deal (decisions 2.6). */
export function isPersonal(category: StoredCategory): boolean {
  return PERSONAL_CATEGORIES.includes(category);
}

/** The category after an edit. A public code always stays one: otherwise it could be swapped (decisions 2.6). */
export function categoryAfterEdit(before: StoredCategory, wanted: StoredCategory): StoredCategory {
  return isPersonal(before) ? before : wanted;
}

/** The properties of a coupon that its pending deals depend on. */
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

/** Whether an edit changes the terms of pending deals. Code and pictures are compared separately. */
export function changesTerms(before: Terms, after: Terms): boolean {
  return TERMS.some((key) => before[key] !== after[key]);
}
