import type { Cents } from './money.ts';

/**
 * What each of the two parties pays, in whole per cent of the bid (decisions 1.3). Every text that names a fee is
 * rendered from this number, and it is copied onto each payment.
 */
export const FEE_PERCENT = 5;

/** The smallest and the largest bid (spec/2 section 5; the largest is what providers take without asking). */
export const MIN_BID_CENTS: Cents = 300;
export const MAX_BID_CENTS: Cents = 1_000_000;

/** A bid and what becomes of it, in CAD cents. `buyerTotal - platformFee = netAmount`, always. */
export interface FeeBreakdown {
  /** The bid. */
  readonly amount: Cents;
  readonly buyerFee: Cents;
  readonly sellerFee: Cents;
  /** What ClipSwap keeps: both fees. */
  readonly platformFee: Cents;
  /** What the buyer is charged. */
  readonly buyerTotal: Cents;
  /** What the seller receives. */
  readonly netAmount: Cents;
}

/** One party's fee, rounded half-up to a cent, in whole numbers. */
function feeOf(amount: Cents): Cents {
  return Math.floor((amount * FEE_PERCENT + 50) / 100);
}

/** What a bid of `amount` CAD cents costs the buyer, brings the seller, and leaves with ClipSwap. */
export function feesOf(amount: Cents): FeeBreakdown {
  const fee = feeOf(amount);
  return {
    amount,
    buyerFee: fee,
    sellerFee: fee,
    platformFee: 2 * fee,
    buyerTotal: amount + fee,
    netAmount: amount - fee,
  };
}
