import type { Cents } from '#contract/base/money.ts';
import { betterRate, type FeeRates } from '#contract/money/fees.ts';
import type { Context } from '#server/context/context.ts';

/** What was shown to somebody when they offered or agreed: the fees, and the days of guarantee of a sale. */
export type Terms = {
  readonly feeRates: FeeRates;
  readonly guaranteeDays: number;
};

/** The terms in force. */
export function termsNow({ feeRates, guarantee }: Context['config']): Terms {
  return { feeRates, guaranteeDays: guarantee.days };
}

/**
 * The terms of a deal that is accepted now: whoever has offered keeps what they were shown, or gets what is better for them
 * now (decisions 1.3).
 * @param amount what the buyer pays the seller, in cents
 * @param shown what each side was shown when they last offered or agreed; null: they have not
 */
export function agreedTerms(
  amount: Cents,
  shown: { readonly buyer: Terms | null; readonly seller: Terms | null },
  now: Terms,
): Terms {
  const better = (side: 'buyer' | 'seller') => {
    const before = shown[side]?.feeRates[side];
    return before ? betterRate(amount, before, now.feeRates[side]) : now.feeRates[side];
  };
  return {
    feeRates: { buyer: better('buyer'), seller: better('seller') },
    guaranteeDays: Math.max(shown.buyer?.guaranteeDays ?? 0, now.guaranteeDays),
  };
}
