import { roundAmount } from '#contract/base/base-currency.ts';
import { baseCurrency, type Cents, formatMoney, signedMoney } from '#contract/base/money.ts';
import {
  DEFAULT_FEE_RATES,
  eachRateText,
  feesOf,
  largestBid,
  rateText,
  smallestBid,
} from '#contract/money/fees.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';

/** The date of these texts; change it with them. */
export const LAST_UPDATED = '2026-11-27';

/** Hours in which people should reply to messages (spec/3 section 2). */
export const REPLY_HOURS = 48;
export const MINIMUM_AGE = 18;

/** '$20.00 CAD'. */
export function money(cents: Cents): string {
  return formatMoney(cents, baseCurrency());
}

export const SMALLEST_BID = money(smallestBid());
export const LARGEST_BID = money(largestBid());

/** The document's example at the default rate: '$0.50' on '$10.00'. */
export const DEFAULT_EXAMPLE = {
  rate: rateText(DEFAULT_FEE_RATES.buyer),
  bid: signedMoney(roundAmount(1_000), baseCurrency()),
  fee: signedMoney(feesOf(roundAmount(1_000), DEFAULT_FEE_RATES).buyerFee, baseCurrency()),
};

/** The fees in the texts: '5%', '5% from each party', and an example with a bid of 20. */
export function feeFacts() {
  const rates = feeRatesNow();
  const example = feesOf(roundAmount(2_000), rates);
  return {
    buyerRate: rateText(rates.buyer),
    sellerRate: rateText(rates.seller),
    fromEach: eachRateText(rates),
    bid: money(example.amount),
    buyerFee: money(example.buyerFee),
    sellerFee: money(example.sellerFee),
    buyerTotal: money(example.buyerTotal),
    netAmount: money(example.netAmount),
    platformFee: money(example.platformFee),
  };
}
