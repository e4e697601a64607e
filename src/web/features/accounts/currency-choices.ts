import { CURRENCIES } from '#contract/money.ts';

/** The currencies of a Select: 'CAD – Canadian Dollar'. */
export const CURRENCY_CHOICES = CURRENCIES.map((currency) => {
  const name = new Intl.DisplayNames('en', { type: 'currency' }).of(currency);
  return { value: currency, label: name ? `${currency} – ${name}` : currency };
});
