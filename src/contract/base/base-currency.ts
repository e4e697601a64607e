import { locale } from './i18n.ts';
import { baseCurrency, type Cents, type Currency } from './money.ts';

/** How many units of a currency stand where the larger ones have one, in limits and examples. */
const SCALES: Partial<Record<Currency, number>> = { INR: 50, CNY: 5, BRL: 5, MXN: 10, ZAR: 10 };

/** An amount for limits and examples: 300 is $3.00, and ₹150.00 in a market of rupees. */
export function roundAmount(cents: Cents, currency = baseCurrency()): Cents {
  return cents * (SCALES[currency] ?? 1);
}

/** The currency's name in the reader's language, as after an amount: 'Canadian dollars', 'euros'. */
export function currencyName(currency = baseCurrency()): string {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}
