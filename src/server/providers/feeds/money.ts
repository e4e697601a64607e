import type { DiscountType } from '#contract/coupon-facts.ts';
import { PERCENTAGE_MAX, VALUE_MAX } from '#contract/coupon-facts.ts';
import { CURRENCIES, type Currency, convertToBase } from '#contract/money.ts';

/** The value of an offer: hundredths of the base currency or of a per cent. */
export interface Worth {
  readonly value: number;
  readonly discountType: DiscountType;
}

/** The fields of a feed that state only money; blank if missing. */
export interface StatedMoney {
  readonly percentOff: string;
  readonly amountOff: string;
  /** An amount or a percentage, by its sign: '10%', '40.00 GBP'. */
  readonly discount: string;
  /** The kind of `discount` if it has no sign: 'Percentage Off'. */
  readonly discountType: string;
  readonly currency: string;
}

const PERCENTAGE = /^(\d{1,3}(?:\.\d{1,2})?)(?:\s*%)?(?:\s*off)?\s*$/i;
const PERCENTAGE_SIGNED = /^\d{1,3}(?:\.\d{1,2})?\s*%(?:\s*off)?$/i;
const AMOUNT =
  /^([A-Z]{3}|[£€₹])?(?:\s*\$)?\s*(\d{1,3}(?:,\d{3})+|\d{1,8})(?:\.(\d{1,2}))?(?:\s*([A-Z]{3}|[£€₹]))?(?:\s*off)?\s*$/i;
const BARE_NUMBER = /^[\d.,\s]*$/;
const PERCENTAGE_KINDS = /^(?:%|percent(?:age)?(?:[ _-]?off)?)$/i;
const AMOUNT_KINDS = /^(?:(?:price|money|amount|flat|fixed)(?:[ _-]?(?:off|amount|price))?|amt|cash off)$/i;

/** In characters: what is longer is a sentence, or worse. */
const MAX_LENGTH = 100;

/** Signs of one currency. `$` and `¥` are left out: several currencies use them. */
const SIGNS: Record<string, Currency> = { '£': 'GBP', '€': 'EUR', '₹': 'INR' };

/** A currency whose own sign is `$`; null for any other. */
export function dollarOf(currency: Currency | null): Currency | null {
  return currency && ['CAD', 'USD', 'AUD', 'MXN'].includes(currency) ? currency : null;
}

/**
 * The value in the stated fields, or null. Free text is ignored: "$50 off when you spend $250" is not $250.
 * `fallback` is the currency of amounts without one; with null such an amount is ignored.
 */
export function readWorth(stated: StatedMoney, fallback: Currency | null): Worth | null {
  const { percentOff, amountOff, discount, discountType } = stated;
  if (Object.values(stated).some(({ length }) => length > MAX_LENGTH)) return null;
  const currency = stated.currency ? currencyOf(stated.currency) : fallback;
  if (percentOff) return percentage(percentOff);
  if (amountOff) return amount(amountOff, currency);
  if (discountType) {
    if (PERCENTAGE_KINDS.test(discountType)) return percentage(discount);
    return AMOUNT_KINDS.test(discountType) ? amount(discount, currency) : null;
  }
  if (PERCENTAGE_SIGNED.test(discount)) return percentage(discount);
  // A bare number may be a percentage: only a currency in the same row makes it money.
  const isMoney = stated.currency !== '' || !BARE_NUMBER.test(discount);
  return isMoney ? amount(discount, currency) : null;
}

function percentage(text: string): Worth | null {
  const match = PERCENTAGE.exec(text);
  const value = match?.[1] ? hundredths(match[1]) : 0;
  return value > 0 && value <= PERCENTAGE_MAX ? { value, discountType: 'percentage' } : null;
}

function amount(text: string, fallback: Currency | null): Worth | null {
  const match = AMOUNT.exec(text);
  if (!match?.[2]) return null;
  const named = match[1] ?? match[4];
  const currency = named ? currencyOf(named) : text.includes('$') ? dollarOf(fallback) : fallback;
  if (!currency || (match[1] && match[4])) return null;
  return fixedWorth(hundredths(`${match[2].replaceAll(',', '')}.${match[3] ?? ''}`), currency);
}

/** An amount in hundredths of a currency's unit as a value; null if no coupon can be worth it. */
export function fixedWorth(amountHundredths: number, currency: Currency): Worth | null {
  const value = convertToBase(amountHundredths, currency);
  return value > 0 && value <= VALUE_MAX ? { value, discountType: 'fixed' } : null;
}

/** The currency of a sign or an ISO code; null if we have no rate for it. */
export function currencyOf(text: string): Currency | null {
  const code = SIGNS[text] ?? text.trim().toUpperCase();
  return CURRENCIES.find((currency) => currency === code) ?? null;
}

function hundredths(decimal: string): number {
  const [units = '0', fraction = ''] = decimal.split('.');
  return Number(units) * 100 + Number(fraction.padEnd(2, '0'));
}
