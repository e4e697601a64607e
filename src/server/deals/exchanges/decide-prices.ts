import { decimalToCents } from '#contract/base/money.ts';
import type { FeeRates } from '#contract/money/fees.ts';
import { agreedTerms, type Terms } from '#server/deals/lifecycle/service.ts';

/** A leg, as far as its fees ask. */
interface PricedLeg {
  readonly giverId: number;
  readonly receiverId: number;
  readonly price: { readonly amount: string } | null;
}

/** The parties of an exchange, with what each was shown when they agreed. */
type Agreeing = readonly { readonly id: number; readonly terms: Terms | null }[];

/** The fees at which the price of a leg is agreed now: its payer and its giver keep what they were shown when they agreed. */
export function feeRatesOfLeg(
  parties: Agreeing,
  { giverId, receiverId, price }: PricedLeg,
  now: Terms,
): FeeRates {
  const termsOf = (userId: number) => parties.find(({ id }) => id === userId)?.terms ?? null;
  const shown = { buyer: termsOf(receiverId), seller: termsOf(giverId) };
  return agreedTerms(decimalToCents(price?.amount ?? '0'), shown, now).feeRates;
}

/** The fees of each price of an exchange that is accepted now. */
export function agreedPrices(
  {
    legs,
    parties,
  }: {
    readonly legs: readonly (PricedLeg & { readonly coupon: { readonly id: number } })[];
    readonly parties: Agreeing;
  },
  now: Terms,
): { readonly couponId: number; readonly feeRates: FeeRates }[] {
  return legs
    .filter(({ price }) => price !== null)
    .map((leg) => ({ couponId: leg.coupon.id, feeRates: feeRatesOfLeg(parties, leg, now) }));
}
