import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import { baseCurrency, decimalToCents, formatMoney, signedMoney } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { largestBid, smallestBid } from '#contract/money/fees.ts';

interface AmountTexts {
  readonly required: () => string;
  readonly positive: () => string;
  readonly tooSmall: () => string;
  readonly tooLarge: () => string;
}

/** An amount as people type them: '12', '12.5' or '12.50', within what a bid may be. */
function typedAmount({ required, positive, tooSmall, tooLarge }: AmountTexts) {
  return z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .regex(/^(?=.*[1-9])\d+(\.\d{1,2})?$/, { error: positive })
    .refine((text) => centsOf(text) >= smallestBid(), { error: tooSmall })
    .refine((text) => centsOf(text) <= largestBid(), { error: tooLarge })
    .describe('An amount as a decimal text: "12", "12.5" or "12.50"');
}

/** NaN for a text that the pattern has refused, because the refinements still run on it; Infinity for more than is stored. */
function centsOf(text: string): number {
  if (!/^\d+(\.\d{1,2})?$/.test(text)) return Number.NaN;
  return /^\d{1,8}(\.|$)/.test(text) ? decimalToCents(text) : Number.POSITIVE_INFINITY;
}

/** A bid. The messages are those of spec/2 section 5. */
export const bidAmountSchema = typedAmount({
  required: TEXTS.bids.amountRequired,
  positive: TEXTS.bids.amountPositive,
  tooSmall: () => TEXTS.bids.amountTooSmall(signedMoney(smallestBid(), baseCurrency())),
  tooLarge: () => TEXTS.bids.amountTooLarge(signedMoney(largestBid(), baseCurrency())),
}).meta({ id: 'BidAmount', examples: ['12.50'] });

const money = (cents: number) => formatMoney(cents, baseCurrency());
const notAbove = ofField(() => t`Must not be above the asking price`);
const positive = () => t`Enter an amount such as 12.50`;

/** What an owner asks, or takes at least. */
export const priceSchema = typedAmount({
  required: positive,
  positive,
  tooSmall: ofField(() => t`Must be at least ${money(smallestBid())}, the smallest bid`),
  tooLarge: ofField(() => t`Must be at most ${money(largestBid())}`),
}).meta({ id: 'Price' });

/**
 * What is wrong with the lowest price of a coupon, given its asking price; null if nothing is, or if one of them is no
 * amount, of which its own schema tells.
 */
export function checkPriceFloor(prices: {
  readonly askingPrice: string | null;
  readonly priceFloor: string | null;
}): string | null {
  const { askingPrice, priceFloor } = prices;
  if (priceFloor === null) return null;
  if (askingPrice === null) return t`A lowest price needs an asking price`;
  return centsOf(priceFloor) > centsOf(askingPrice) ? notAbove() : null;
}
