import { CURRENCIES, type Currency } from '#contract/base/money.ts';

/** The currencies that a market can charge in: amounts are stored in hundredths, which yen do not have. */
export const BASE_CURRENCIES = CURRENCIES.filter((currency) => currency !== 'JPY');

/** PayPal takes no rupees and no rand (https://developer.paypal.com/api/rest/reference/currency-codes/). */
export const PAYPAL_CURRENCIES: readonly Currency[] = BASE_CURRENCIES.filter(
  (currency) => currency !== 'INR' && currency !== 'ZAR',
);
