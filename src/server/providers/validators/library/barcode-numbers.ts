import { expandUpcE, hasGtinCheckDigit, hasLuhnCheckDigit } from '#server/core/check-digits.ts';

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
