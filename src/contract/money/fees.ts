import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { roundAmount } from '#contract/base/base-currency.ts';
import { percentText } from '#contract/base/locale.ts';
import { baseCurrency, type Cents, formatMoney } from '#contract/base/money.ts';

/** The smallest and the largest bid (spec/2 section 5; the largest is what providers accept without asking). */
export const smallestBid = (currency = baseCurrency()): Cents => roundAmount(300, currency);
export const largestBid = (currency = baseCurrency()): Cents => roundAmount(1_000_000, currency);

/** Limits of a rate. Within them, the fee of the smallest bid is less than the bid. */
export const MAX_FEE_BASIS_POINTS = 5_000;
export const maxFeeMinimum = (currency = baseCurrency()): Cents => smallestBid(currency) - 1;

const tooHigh = () => t`Must be at most ${formatMoney(maxFeeMinimum(), baseCurrency())}`;

export const feeRateSchema = z.object({
  /** Hundredths of a per cent of the bid. */
  basisPoints: z.int().min(0).max(MAX_FEE_BASIS_POINTS),
  /** The smallest fee, in cents. */
  minimum: z
    .int()
    .min(0)
    .refine((cents) => cents <= maxFeeMinimum(), { error: tooHigh }),
});
feeRateSchema.register(z.globalRegistry, { id: 'FeeRate' });
export type FeeRate = z.output<typeof feeRateSchema>;

/** What each party of a sale pays to the platform. A sale keeps the rates of the time when its bid was accepted. */
export const feeRatesSchema = z
  .object({ buyer: feeRateSchema, seller: feeRateSchema })
  .meta({ id: 'FeeRates' });
export type FeeRates = z.output<typeof feeRatesSchema>;

/** The rates of an installation that sets none (decisions 1.3). */
export const DEFAULT_FEE_RATES: FeeRates = {
  buyer: { basisPoints: 500, minimum: 0 },
  seller: { basisPoints: 500, minimum: 0 },
};

/** A bid and its fees, in cents of the base currency. `buyerTotal - platformFee = netAmount`, always. */
export interface FeeBreakdown {
  /** The bid. */
  readonly amount: Cents;
  readonly buyerFee: Cents;
  readonly sellerFee: Cents;
  /** What ClipSwap keeps: the fees of both parties. */
  readonly platformFee: Cents;
  /** What the buyer is charged. */
  readonly buyerTotal: Cents;
  /** What the seller receives. */
  readonly netAmount: Cents;
}

/** The fee of one party, rounded half-up to a cent, in integers. The function `fee_of` of the database checks it. */
function feeOf(amount: Cents, { basisPoints, minimum }: FeeRate): Cents {
  return Math.max(minimum, Math.floor((amount * basisPoints + 5_000) / 10_000));
}

/** The rate that costs less for a bid of `amount` cents; of two that cost the same, the second. */
export function betterRate(amount: Cents, one: FeeRate, other: FeeRate): FeeRate {
  return feeOf(amount, one) < feeOf(amount, other) ? one : other;
}

/** Computes the fees of a bid of `amount` cents of the base currency. */
export function feesOf(amount: Cents, rates: FeeRates): FeeBreakdown {
  const [buyerFee, sellerFee] = [feeOf(amount, rates.buyer), feeOf(amount, rates.seller)];
  return {
    amount,
    buyerFee,
    sellerFee,
    platformFee: buyerFee + sellerFee,
    buyerTotal: amount + buyerFee,
    netAmount: amount - sellerFee,
  };
}

/** '5%'; '5%, at least $0.50 CAD'; '$0.50 CAD'. */
export function rateText({ basisPoints, minimum }: FeeRate): string {
  if (minimum === 0) return percentText(basisPoints);
  const least = formatMoney(minimum, baseCurrency());
  return basisPoints === 0 ? least : t`${percentText(basisPoints)}, at least ${least}`;
}

/** '5% from each party', or '4% from the buyer and 6% from the seller'. */
export function eachRateText({ buyer, seller }: FeeRates): string {
  const [buyers, sellers] = [rateText(buyer), rateText(seller)];
  return buyers === sellers
    ? t`${buyers} from each party`
    : t`${buyers} from the buyer and ${sellers} from the seller`;
}
