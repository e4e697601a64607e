import type { Cents } from './money.ts';

/**
 * The fee of each party, in whole per cent of the bid (decisions 1.3). Every text that names the fee uses this
 * number; each payment stores a copy.
 */
export const FEE_PERCENT = 5;

/** The smallest and the largest bid (spec/2 section 5; the largest is what providers accept without asking). */
export const MIN_BID_CENTS: Cents = 300;
export const MAX_BID_CENTS: Cents = 1_000_000;

/** A bid and its fees, in CAD cents. `buyerTotal - platformFee = netAmount`, always. */
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

/** The fee of one party, rounded half-up to a cent, in integers. */
function feeOf(amount: Cents): Cents {
  return Math.floor((amount * FEE_PERCENT + 50) / 100);
}

/** Computes the fees of a bid of `amount` CAD cents. */
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
