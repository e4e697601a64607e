import { locale } from '#contract/base/i18n.ts';
import { baseCurrency, type Cents, formatMoney } from '#contract/base/money.ts';
import type { TextOf } from './stored.ts';

/**
 * A text for people, by its parameters. They are plain values: the text itself quotes titles and writes amounts, because
 * each language does so in its own way.
 */
export type Text<Parameters> = (parameters: Parameters, textOf: TextOf) => string;

/** '$1,250.00 CAD'. */
export function money(cents: Cents): string {
  return formatMoney(cents, baseCurrency());
}

/** '$1250.00 CAD': without its sign, and without commas. */
export function amountOf(cents: Cents): string {
  const currency = baseCurrency();
  const format = new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    useGrouping: false,
  });
  return `${format.format(Math.abs(cents) / 100)} ${currency}`;
}

/** Some whole sentences, one after the other. @param given null: one that there is not */
export function sentences(...given: readonly (string | null)[]): string {
  return given.filter((sentence) => sentence !== null).join(' ');
}
