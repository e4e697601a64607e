import { t } from '@lingui/core/macro';
import { decimalToCents } from '#contract/base/money.ts';
import type { PlaceBidInput } from '#contract/deals/bids.ts';
import { PROGRAM_BUYS_EACH_MINUTES } from '#contract/people/program-limits.ts';
import type { MemberContext } from '#server/context/context.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { couponById } from '#server/coupons/core/service.ts';
import type { PlainBid } from './view.ts';

const PROGRAM_BUYS: RateLimit = {
  name: 'program-buys',
  points: 1,
  seconds: 60 * PROGRAM_BUYS_EACH_MINUTES,
  text: () => t`Your programs can accept one asking price in ${PROGRAM_BUYS_EACH_MINUTES} minutes.`,
};

/**
 * Bids at the pace of people: with all their keys together, the programs of a person accept one asking price in
 * PROGRAM_BUYS_EACH_MINUTES. What is not accepted at once does not count.
 * @param place bids, and is told whether an asking price may accept the bid
 * @throws AppError not_found, rate_limited; as `place` does
 */
export async function atPaceOfPeople(
  ctx: MemberContext,
  { couponId, amount, mustWait }: Pick<PlaceBidInput, 'couponId' | 'amount' | 'mustWait'>,
  place: (mayBuy: boolean) => Promise<PlainBid>,
): Promise<PlainBid> {
  if (mustWait) return place(false);
  if (!ctx.apiKey) return place(true);
  const { askingPrice } = await couponById(ctx, couponId);
  if (askingPrice === null || decimalToCents(amount) < decimalToCents(askingPrice)) return place(false);
  const caller = String(ctx.actor.id);
  await enforceLimit(ctx.limiter, PROGRAM_BUYS, caller);
  let hasBought = false;
  try {
    const bid = await place(true);
    hasBought = bid.isAutomatic;
    return bid;
  } finally {
    if (!hasBought) await ctx.limiter.reset(PROGRAM_BUYS, caller);
  }
}
