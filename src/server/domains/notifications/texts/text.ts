import { BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';

/**
 * A text for people, by its parameters. They are plain values: the text itself quotes titles and writes amounts, because
 * each language does so in its own way.
 */
export type Text<Parameters> = (parameters: Parameters) => string;

/** '$1,250.00 CAD'. */
export function money(cents: Cents): string {
  return formatMoney(cents, BASE_CURRENCY);
}
