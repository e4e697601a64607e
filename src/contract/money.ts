import { z } from 'zod';

/** Whole hundredths of a currency unit. The one representation of money inside the program. */
export type Cents = number;

/** What prices are kept and charged in. */
export const BASE_CURRENCY = 'CAD';

/** Units of each currency for one US dollar: the product's fixed rates (spec/1 section 9). */
const UNITS_PER_USD = {
  USD: '1',
  CAD: '1.36',
  EUR: '0.92',
  GBP: '0.79',
  INR: '83.18',
  AUD: '1.51',
  JPY: '153.59',
  CNY: '7.22',
  BRL: '5.06',
  MXN: '16.64',
  ZAR: '18.32',
} as const;

export const CURRENCIES = Object.keys(UNITS_PER_USD) as [Currency, ...Currency[]];
export type Currency = keyof typeof UNITS_PER_USD;
export const currencySchema = z.enum(CURRENCIES);

/** Digits behind the point of a currency's smallest coin. */
const MINOR_DIGITS: Partial<Record<Currency, number>> = { JPY: 0 };

function minorDigits(currency: Currency): number {
  return MINOR_DIGITS[currency] ?? 2;
}

/** A rate as a whole number of hundredths: '1.36' -> 136n. */
function rateHundredths(currency: Currency): bigint {
  return BigInt(decimalToCents(UNITS_PER_USD[currency]));
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/**
 * Converts CAD cents to another currency's minor units (yen have none), once, rounded half-up.
 * In whole numbers throughout: no floating point touches money.
 */
export function convertFromBase(cents: Cents, currency: Currency): number {
  const toMinor = 10n ** BigInt(minorDigits(currency));
  const numerator = BigInt(cents) * rateHundredths(currency) * toMinor;
  return Number(divideHalfUp(numerator, rateHundredths(BASE_CURRENCY) * 100n));
}

/** Cents from a decimal text of at most two places ('3', '3.5', '3.50'). Throws on anything else. */
export function decimalToCents(text: string): Cents {
  const match = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) throw new RangeError(`Not an amount of money: ${text}`);
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** A decimal text with two places from cents: 350 -> '3.50'. */
export function centsToDecimal(cents: Cents): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/**
 * A price as people read it in their currency, with the ISO code because `$` and `¥` are ambiguous:
 * '$25.00 CAD'. `locale` is for tests; the default is the product's English.
 */
export function formatMoney(cents: Cents, currency: Currency, locale = 'en'): string {
  const digits = minorDigits(currency);
  const minor = convertFromBase(cents, currency);
  const unit = digits === 0 ? minor : Number(centsToDecimal(minor));
  const formatted = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(unit);
  return `${formatted} ${currency}`;
}
