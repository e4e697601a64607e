import { roundAmount } from '#contract/base/base-currency.ts';
import { baseCurrency, centsToDecimal, decimalToCents, signedMoney } from '#contract/base/money.ts';

/** '$12.50' in the demo's files -> cents of the market's currency. */
export function centsOf(amount: string): number {
  return roundAmount(decimalToCents(amount.slice(1)));
}

/** The same as a decimal text, as calls take it. */
export function decimalOf(amount: string): string {
  return centsToDecimal(centsOf(amount));
}

/** A text of the demo with its amounts in the market's currency: '$20 off' -> '€20 off'. */
export function inMarketCurrency(text: string): string {
  return text.replace(/\$\d+(?:\.\d\d)?/g, (amount) =>
    signedMoney(centsOf(amount), baseCurrency(), amount.includes('.') ? 2 : 0),
  );
}
