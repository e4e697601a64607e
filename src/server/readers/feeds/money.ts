import { type Currency, convertToBase } from '#contract/base/money.ts';
import type { DiscountType } from '#contract/coupons/choices.ts';
import { PERCENTAGE_MAX, VALUE_MAX } from '#contract/coupons/limits.ts';
import { type Amount, currencyOf, readAmount } from './amounts.ts';

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

const OFF = /\s?off\s*$/i;
const PERCENTAGE_KINDS = /^(?:%|percent(?:age)?(?:[ _-]?off)?)$/i;
const AMOUNT_KINDS = /^(?:(?:price|money|amount|flat|fixed)(?:[ _-]?(?:off|amount|price))?|amt|cash off)$/i;

/** In characters: what is longer is a sentence, or worse. */
const MAX_LENGTH = 100;

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
  const read = readStated(discount, currency);
  if (read?.unit === '%') return percentage(discount);
  // A bare number may be a percentage: only a currency in the same row makes it money.
  return read?.unit || stated.currency !== '' ? amount(discount, currency) : null;
}

/** "$5 off" says no more than "$5". */
function readStated(text: string, fallback: Currency | null): Amount | null {
  return readAmount(text.replace(OFF, '').trim(), fallback);
}

function percentage(text: string): Worth | null {
  const { unit, hundredths: value } = readStated(text, null) ?? {};
  if (!value || value > PERCENTAGE_MAX) return null;
  // A bare 0.2 may be a fifth.
  const isOne = unit === '%' || (unit === null && value >= 100);
  return isOne ? { value, discountType: 'percentage' } : null;
}

function amount(text: string, fallback: Currency | null): Worth | null {
  const { unit, hundredths } = readStated(text, fallback) ?? {};
  const currency = unit === null ? fallback : unit;
  if (!currency || currency === '%' || currency === 'other' || !hundredths) return null;
  return fixedWorth(hundredths, currency);
}

/** An amount in hundredths of a currency's unit as a value; null if no coupon can be worth it. */
export function fixedWorth(amountHundredths: number, currency: Currency): Worth | null {
  const value = convertToBase(amountHundredths, currency);
  return value > 0 && value <= VALUE_MAX ? { value, discountType: 'fixed' } : null;
}
