import { expandUpcE, hasGtinCheckDigit, hasLuhnCheckDigit } from '#server/core/check-digits.ts';

/** The application identifiers that are read. */
const IDENTIFIERS = ['8110', '8112', '01'] as const;
const COUPON_IDENTIFIERS = ['8110', '8112'] as const;

/** A code that says what it is, or digits that may be the number of a barcode. */
type Spelling =
  | { readonly kind: (typeof IDENTIFIERS)[number]; readonly data: string }
  | { readonly kind: 'digits'; readonly digits: string };

/** What scanners put before GS1 data, by symbology: DataBar, Code 128, Data Matrix, QR, DotCode. */
const SYMBOLOGY = /^\](?:e0|C1|d2|Q3|J1)/;
/** FNC1, as scanners send it and as people write it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the group separator is what is sent for FNC1
const SEPARATOR = /\u001d|<GS>|<FNC1>|\{GS\}|\{FNC1\}|\[FNC1\]/i;

/** The shortest coupon of either kind has 21 digits after its identifier. */
const MIN_COUPON_LENGTH = 25;
const GTIN_LENGTH = 14;

/** Recognises a standard code in the ways that scanners and people write it, spaces left out; null if it is none. */
export function readSpelling(code: string): Spelling | null {
  const text = code.replaceAll(/\s/g, '');
  const elements = text.replace(SYMBOLOGY, '').split(SEPARATOR);
  const isMarked = elements.length > 1 || SYMBOLOGY.test(text);
  const element = elements.find((part) => part !== '') ?? '';
  const isDigits = /^\d+$/.test(element);

  const bracketed = IDENTIFIERS.find((identifier) => element.startsWith(`(${identifier})`));
  if (bracketed) return { kind: bracketed, data: element.slice(bracketed.length + 2).split('(')[0] ?? '' };

  const coupon = COUPON_IDENTIFIERS.find((identifier) => element.startsWith(identifier));
  // Somebody else's number may begin with these digits too: it takes a sign, or the length of a coupon.
  if (coupon && (isMarked || (isDigits && element.length >= MIN_COUPON_LENGTH))) {
    return { kind: coupon, data: element.slice(coupon.length) };
  }
  if (!isMarked) return isDigits ? { kind: 'digits', digits: element } : null;
  return element.startsWith('01') ? { kind: '01', data: element.slice(2, 2 + GTIN_LENGTH) } : null;
}

/** A number that is made as those of barcodes or cards are. */
interface BarcodeNumber {
  readonly format: 'GTIN-8' | 'UPC-E' | 'UPC-A' | 'EAN-13' | 'GTIN-14' | 'Luhn';
  /** Of the coupons that were numbered like products: UPC-A of number system 5, EAN-13 from 981 to 984 and from 99. */
  readonly isLegacyCoupon: boolean;
  readonly isCheckDigitRight: boolean;
}

const GTIN_FORMATS = new Map<number, BarcodeNumber['format']>([
  [8, 'GTIN-8'],
  [12, 'UPC-A'],
  [13, 'EAN-13'],
  [14, 'GTIN-14'],
]);

/** In fourteen digits: UPC-A has two zeros before its own, EAN-13 one. */
const LEGACY_COUPON = /^0(?:05|98[1-4]|99)/;

/**
 * What digits alone may be; null if they are nothing that is known. Most shops' own numbers have no check digit, so
 * that a wrong one tells nothing, unless the number begins as coupons do.
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
