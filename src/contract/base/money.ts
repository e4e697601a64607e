import { locale } from './i18n.ts';
import { pageSetting } from './page-setting.ts';

/** An integer number of hundredths of a currency unit. The only representation of money inside the program. */
export type Cents = number;

/** Units of each currency for one US dollar: fixed rates (spec/1 section 9). */
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

/** In a browser, the page says it in the head. */
let base = (pageSetting('currency') ?? 'CAD') as Currency;

/** The currency in which this market stores and charges prices. */
export const baseCurrency = (): Currency => base;

/** Gives the market of this process its currency. A server does it once, at start. */
export function chargeIn(currency: Currency): void {
  base = currency;
}

/** Decimal places of a currency, for those that do not have two. */
const MINOR_DIGITS: Partial<Record<Currency, number>> = { JPY: 0 };

function minorDigits(currency: Currency): number {
  return MINOR_DIGITS[currency] ?? 2;
}

/** A rate as an integer number of hundredths: '1.36' -> 136n. */
function rateHundredths(currency: Currency): bigint {
  return BigInt(decimalToCents(UNITS_PER_USD[currency]));
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/**
 * Converts cents of the base currency to minor units of another currency (for yen, whole yen), rounded half-up once.
 * Uses integers only: money is never a floating point number.
 */
export function convertFromBase(cents: Cents, currency: Currency): number {
  const toMinor = 10n ** BigInt(minorDigits(currency));
  const numerator = BigInt(cents) * rateHundredths(currency) * toMinor;
  return Number(divideHalfUp(numerator, rateHundredths(base) * 100n));
}

/** Hundredths of a currency's unit (of yen too) as cents of the base currency at the fixed rates, rounded half-up once. */
export function convertToBase(hundredths: number, currency: Currency): Cents {
  return Number(divideHalfUp(BigInt(hundredths) * rateHundredths(base), rateHundredths(currency)));
}

/**
 * Reads cents from a decimal text with at most two places ('3', '3.5', '3.50').
 * @throws Error for any other text
 */
export function decimalToCents(text: string): Cents {
  const match = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) throw new RangeError(`Not an amount of money: ${text}`);
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** Writes cents as a decimal text with two places: 350 -> '3.50'. */
export function centsToDecimal(cents: Cents): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Writes a number of hundredths, or of other decimal parts, for people to read: '3.50', '3,50'. */
export function formatDecimal(parts: number, digits = 2): string {
  const number = parts / 10 ** digits;
  return number.toLocaleString(locale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
}

/** An amount in an address: '10' or '9.50'. */
export function amountText(cents: Cents): string {
  return centsToDecimal(cents).replace(/\.00$/, '');
}

/** -350 -> '-3.50'. */
export function signedDecimal(cents: Cents): string {
  return cents < 0 ? `-${centsToDecimal(-cents)}` : centsToDecimal(cents);
}

/** An amount with the sign alone: '$25.00', '25,00 $'; with `digits` 0 '$25'. */
export function signedMoney(cents: Cents, currency: Currency, digits = minorDigits(currency)): string {
  const minor = convertFromBase(cents, currency);
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(minorDigits(currency) === 0 ? minor : Number(centsToDecimal(minor)));
}

/** Formats a price in the reader's currency, with the ISO code because `$` and `¥` are ambiguous: '$25.00 CAD'. */
export function formatMoney(cents: Cents, currency: Currency): string {
  return `${signedMoney(cents, currency)} ${currency}`;
}

/** '$3.00 CAD', '−$3.00 CAD': an amount in the base currency from a decimal text, which may have a sign. */
export function moneyText(amount: string): string {
  const isNegative = amount.startsWith('-') && amount !== '-0.00';
  const text = formatMoney(decimalToCents(amount.replace('-', '')), baseCurrency());
  return isNegative ? `−${text}` : text;
}
