import { expandUpcE, hasGtinCheckDigit, hasLuhnCheckDigit } from '#server/core/check-digits.ts';

/** The application identifiers that we read. */
const IDENTIFIERS = ['8110', '8112', '01'] as const;
const COUPON_IDENTIFIERS = ['8110', '8112'] as const;

/** A code with its application identifier, or digits that may be the number of a barcode. */
type Spelling =
  | { readonly kind: (typeof IDENTIFIERS)[number]; readonly data: string }
  | { readonly kind: 'digits'; readonly digits: string };

/** The prefixes that scanners send before GS1 data, by symbology: DataBar, Code 128, Data Matrix, QR, DotCode. */
const SYMBOLOGY = /^\](?:e0|C1|d2|Q3|J1)/;
/** FNC1, as scanners send it and as people write it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the group separator is what is sent for FNC1
const SEPARATOR = /\u001d|<GS>|<FNC1>|\{GS\}|\{FNC1\}|\[FNC1\]/i;

/** The identifier and at least 21 digits. */
const MIN_COUPON_LENGTH = 25;
const GTIN_LENGTH = 14;

/** Recognises a standard code as scanners and people write it; ignores spaces. Null for any other text. */
export function readSpelling(code: string): Spelling | null {
  const text = code.replaceAll(/\s/g, '');
  const elements = text.replace(SYMBOLOGY, '').split(SEPARATOR);
  const isMarked = elements.length > 1 || SYMBOLOGY.test(text);
  const element = elements.find((part) => part !== '') ?? '';
  const isDigits = /^\d+$/.test(element);

  const bracketed = IDENTIFIERS.find((identifier) => element.startsWith(`(${identifier})`));
  if (bracketed) return { kind: bracketed, data: element.slice(bracketed.length + 2).split('(')[0] ?? '' };

  const coupon = COUPON_IDENTIFIERS.find((identifier) => element.startsWith(identifier));
  // Another number may begin with these digits, too, so it must be marked as GS1, or be as long as a coupon.
  if (coupon && (isMarked || (isDigits && element.length >= MIN_COUPON_LENGTH))) {
    return { kind: coupon, data: element.slice(coupon.length) };
  }
  if (!isMarked) return isDigits ? { kind: 'digits', digits: element } : null;
  return element.startsWith('01') ? { kind: '01', data: element.slice(2, 2 + GTIN_LENGTH) } : null;
}

/** A number with the form of a barcode's or card's. */
interface BarcodeNumber {
  readonly format: 'GTIN-8' | 'UPC-E' | 'UPC-A' | 'EAN-13' | 'GTIN-14' | 'Luhn';
  /**
   * Whether it is a coupon numbered like a product: UPC-A of number system 5, EAN-13 from 981 to 984 and from 99.
   */
  readonly isLegacyCoupon: boolean;
  readonly isCheckDigitRight: boolean;
}

const GTIN_FORMATS = new Map<number, BarcodeNumber['format']>([
  [8, 'GTIN-8'],
  [12, 'UPC-A'],
  [13, 'EAN-13'],
  [14, 'GTIN-14'],
]);

/** With fourteen digits: a UPC-A has two zeros in front, an EAN-13 one. */
const LEGACY_COUPON = /^0(?:05|98[1-4]|99)/;

/**
 * Interprets plain digits; null if they have no known form. Most shops' own numbers have no check digit, so a wrong
 * one means nothing, unless the number begins like a coupon.
 */
export function readBarcodeNumber(digits: string): BarcodeNumber | null {
  if (/^(\d)\1*$/.test(digits)) return null;
  const format = GTIN_FORMATS.get(digits.length);
  if (!format) {
    const isLuhn = digits.length >= 16 && digits.length <= 19 && hasLuhnCheckDigit(digits);
    return isLuhn ? { format: 'Luhn', isLegacyCoupon: false, isCheckDigitRight: true } : null;
  }
  const isLegacyCoupon = LEGACY_COUPON.test(digits.padStart(14, '0'));
  if (hasGtinCheckDigit(digits)) return { format, isLegacyCoupon, isCheckDigitRight: true };
  const upcA = expandUpcE(digits);
  if (upcA && hasGtinCheckDigit(upcA)) {
    return { format: 'UPC-E', isLegacyCoupon: false, isCheckDigitRight: true };
  }
  return isLegacyCoupon ? { format, isLegacyCoupon, isCheckDigitRight: false } : null;
}
