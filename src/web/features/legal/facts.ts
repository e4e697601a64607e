import { FEE_PERCENT, feesOf, MAX_BID_CENTS, MIN_BID_CENTS } from '#contract/fees.ts';
import { BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';

/** The date of these texts; change it with them. */
export const LAST_UPDATED = '2026-11-21';

/** Hours in which people should answer (spec/3 section 2). */
export const ANSWER_HOURS = 48;
export const MINIMUM_AGE = 18;

/** How long sessions last: days without a visit, and days in all. */
export const SESSION_IDLE_DAYS = 30;
export const SESSION_MAX_DAYS = 180;
/** For how many days a browser is known after a sign-in. */
export const DEVICE_DAYS = 180;

/** '5%'. */
export const FEE = `${FEE_PERCENT}%`;

/** '$20.00 CAD'. */
function money(cents: Cents): string {
  return formatMoney(cents, BASE_CURRENCY);
}

export const SMALLEST_BID = money(MIN_BID_CENTS);
export const LARGEST_BID = money(MAX_BID_CENTS);

/** The example in the texts: a bid of 20 CAD. */
const example = feesOf(2_000);
export const EXAMPLE = {
  bid: money(example.amount),
  buyerFee: money(example.buyerFee),
  sellerFee: money(example.sellerFee),
  buyerTotal: money(example.buyerTotal),
  netAmount: money(example.netAmount),
  platformFee: money(example.platformFee),
} as const;
