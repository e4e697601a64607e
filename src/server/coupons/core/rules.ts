import {
  type DiscountType,
  PERSONAL_CATEGORIES,
  type StoredCategory,
  type Transferable,
} from '#contract/coupons/choices.ts';
import { FULL_SEARCH_MIN } from '#contract/coupons/sorts.ts';

/** The trigram index can look up three word characters in a row, or fewer next to another character. */
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

interface Expiry {
  readonly hasNoExpiry: boolean;
  readonly expiryDate: string | null;
}

/** The expiry after an edit. A last day ends "no expiry", and the other way round. */
export function expiryAfterEdit(before: Expiry, changes: Partial<Expiry>): Expiry {
  const { hasNoExpiry = changes.expiryDate ? false : before.hasNoExpiry, expiryDate = before.expiryDate } =
    changes;
  return { hasNoExpiry, expiryDate: hasNoExpiry ? null : expiryDate };
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
  readonly regions: readonly string[];
  readonly transferable: Transferable;
  readonly pictureId: string | null;
}

const TERMS: readonly (keyof Terms)[] = [
  'value',
  'discountType',
  'merchant',
  'expiryDate',
  'title',
  'description',
  'terms',
  'regions',
  'transferable',
  'pictureId',
];

/** Whether an edit changes the terms of pending deals. The code and its pictures are compared separately. */
export function changesTerms(before: Terms, after: Terms): boolean {
  return TERMS.some((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
