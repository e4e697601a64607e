import { z } from 'zod';
import { okSchema } from '#contract/base/primitives.ts';
import {
  couponMatchesInputSchema,
  couponMatchesSchema,
  dismissMatchInputSchema,
  marketSchema,
  matchCountSchema,
  matchSchema,
  proposedMatchSchema,
  proposeMatchInputSchema,
} from '#contract/deals/matches.ts';
import {
  activeMemberProcedure,
  memberProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import { readMarket } from './market.ts';
import { countMatches, dismissMatch, listMatches, matchesForCoupon, proposeMatch } from './service.ts';

/** Swaps that the finder suggests. All calls but the market's are about the caller's own matches. */
export const matchesRouter = router({
  list: memberProcedure
    .meta({ summary: 'Swaps of two and rings that the caller could take part in, the best first' })
    .output(z.array(matchSchema))
    .query(({ ctx }) => listMatches(ctx)),

  count: memberProcedure
    .meta({ summary: 'How many open matches the caller has, and the coupons in them' })
    .output(matchCountSchema)
    .query(({ ctx }) => countMatches(ctx)),

  market: publicProcedure
    .meta({
      summary:
        'How many swaps are possible in the whole market, and the merchants whose coupons would bring more',
      fromReplica: true,
    })
    .output(marketSchema)
    .query(({ ctx }) => readMarket(ctx)),

  forCoupon: memberProcedure
    .meta({
      summary: 'What the owner of a coupon would take for it of the caller, and the matches in which it is',
    })
    .input(couponMatchesInputSchema)
    .output(couponMatchesSchema)
    .query(({ ctx, input }) => matchesForCoupon(ctx, input.couponId)),

  dismiss: memberProcedure
    .meta({ summary: 'Dismisses a match; it does not come back, and the finder learns from the reason' })
    .input(dismissMatchInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(dismissMatch(ctx, input))),

  propose: activeMemberProcedure
    .meta({ summary: 'Proposes the swap of a match to the others in it' })
    .input(proposeMatchInputSchema)
    .output(proposedMatchSchema)
    .mutation(({ ctx, input }) => proposeMatch(ctx, input)),
});
