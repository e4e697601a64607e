import { t } from '@lingui/core/macro';
import { formatDay } from '#contract/base/locale.ts';
import type { ValidationDetails } from '#contract/coupons/validation.ts';
import { hasGtinCheckDigit } from '#server/core/check-digits.ts';
import type { Verdict } from '../validators.ts';
import { type Coupon8110, parseCoupon8110, parseCoupon8112 } from './coupon-8110.ts';
import type { Problem } from './digit-reader.ts';
import { meaningOf } from './meanings.ts';
import { readBarcodeNumber, readSpelling } from './spellings.ts';

type Check = ValidationDetails['checks'][number];

/**
 * Validates a standard code: a GS1 coupon, or a number with a check digit. Null if it is neither. A well-formed
 * code may still be invented, so nothing is ever confirmed. Days are UTC days; a coupon is valid on its last one.
 */
export function judgeByLibrary(given: {
  readonly merchant: string;
  readonly code: string;
  readonly now: Date;
}): Verdict | null {
  const { merchant, code, now } = given;
  const spelling = readSpelling(code);
  switch (spelling?.kind) {
    case '8110': {
      const read = parseCoupon8110(spelling.data, now);
      return 'problem' in read ? malformed(read.problem) : judgePeriod(read.coupon, merchant, now);
    }
    case '8112': {
      const read = parseCoupon8112(spelling.data);
      return 'problem' in read ? malformed(read.problem) : unconfirmedOffer();
    }
    case '01':
      return judgeGtin(spelling.data, merchant);
    case 'digits':
      return judgeDigits(spelling.digits, merchant);
    default:
      return null;
  }
}

const wellFormed = (): Check => ({
  name: 'structure',
  passed: true,
  text: t`The code follows the standard.`,
});

function judgePeriod(coupon: Coupon8110, merchant: string, now: Date): Verdict {
  const today = now.toISOString().slice(0, 10);
  const { startDate, expiryDate } = coupon;
  const checks: Check[] = [wellFormed()];
  const hasBegun = startDate === null || startDate <= today;
  if (startDate) {
    const day = formatDay(startDate);
    const text = hasBegun ? t`It began on ${day}.` : t`It begins on ${day}.`;
    checks.push({ name: 'start', passed: hasBegun, text });
  }
  const isOver = expiryDate !== null && expiryDate < today;
  if (expiryDate) {
    const day = formatDay(expiryDate);
    const text = isOver ? t`It ended on ${day}.` : t`Its last day is ${day}.`;
    checks.push({ name: 'expiry', passed: !isOver, text });
  }
  let message = t`The code is well formed, but ${merchant} has not confirmed it.`;
  if (isOver) message = t`This coupon expired on ${formatDay(expiryDate)}.`;
  else if (!hasBegun) message = t`This coupon cannot be used before ${formatDay(startDate)}.`;
  return verdict(hasBegun && !isOver, message, checks, { ...meaningOf(coupon), expiryDate });
}

function unconfirmedOffer(): Verdict {
  return verdict(
    true,
    t`The code is well formed but not confirmed: only The Coupon Bureau knows the offer.`,
    [wellFormed()],
  );
}

function malformed(problem: Problem): Verdict {
  const text = problem.text();
  return verdict(false, t`This is not a valid coupon code: ${text}.`, [
    { name: 'structure', passed: false, text: t`The code does not follow the standard: ${text}.` },
  ]);
}

const rightCheck = (): Check => ({ name: 'check-digit', passed: true, text: t`The check digit is right.` });
const wrongCheck = (): Check => ({ name: 'check-digit', passed: false, text: t`The check digit is wrong.` });

function judgeGtin(gtin: string, merchant: string): Verdict {
  if (!/^\d{14}$/.test(gtin))
    return malformed({ name: 'GTIN', text: () => t`its number does not have 14 digits` });
  if (hasGtinCheckDigit(gtin)) return verdict(true, rightDigit(merchant), [wellFormed(), rightCheck()]);
  const message = t`The check digit of this barcode number is wrong. A digit may be mistyped.`;
  return verdict(false, message, [wellFormed(), wrongCheck()]);
}

function judgeDigits(digits: string, merchant: string): Verdict | null {
  const number = readBarcodeNumber(digits);
  if (!number) return null;
  const { format, isLegacyCoupon, isCheckDigitRight } = number;
  const form =
    format === 'Luhn' ? t`It has the length of a card’s number.` : t`It has the form of ${format}.`;
  const checks: Check[] = [{ name: 'structure', passed: true, text: form }];
  checks.push(isCheckDigitRight ? rightCheck() : wrongCheck());
  if (!isLegacyCoupon) return verdict(true, rightDigit(merchant), checks);
  const message = isCheckDigitRight
    ? t`This is an older kind of coupon. We can check only its check digit, which is right; ${merchant} has not confirmed it.`
    : t`It starts like an older kind of coupon, but its check digit is wrong. A digit may be mistyped.`;
  return verdict(isCheckDigitRight, message, checks);
}

const rightDigit = (merchant: string) => t`The check digit is right, but ${merchant} has not confirmed it.`;

function verdict(
  valid: boolean,
  message: string,
  checks: Check[],
  read: Partial<Pick<Verdict, 'value' | 'discountType' | 'description' | 'requirement' | 'expiryDate'>> = {},
): Verdict {
  return {
    value: null,
    discountType: null,
    description: null,
    requirement: null,
    expiryDate: null,
    ...read,
    valid,
    message,
    validatedWith: 'library',
    confirmed: false,
    dead: false,
    confidence: 'structure',
    checks,
  };
}
