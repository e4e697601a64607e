import { z } from 'zod';
import { pageSchema } from '#contract/base/primitives.ts';
import { codeFeedbackSchema, giveFeedbackInputSchema } from '#contract/coupons/code-feedback.ts';
import { couponSchema } from '#contract/coupons/coupons.ts';
import {
  discoverCouponSchema,
  discoverGroupSchema,
  discoverInputSchema,
  importAllInputSchema,
  importInputSchema,
  merchantOffersInputSchema,
} from '#contract/coupons/discover.ts';
import { activeMemberProcedure, memberProcedure, router } from '#server/trpc/procedures.ts';
import { giveOfferFeedback } from './offer-feedback.ts';
import { importAll, importOffer, listDiscover, listMerchantOffers } from './service.ts';

/** Public codes from feeds, and importing them into one's own coupons. */
export const discoverRouter = router({
  list: memberProcedure
    .meta({ summary: 'Merchants with public codes, with the first codes of each', fromReplica: true })
    .input(discoverInputSchema)
    .output(pageSchema(discoverGroupSchema))
    .query(({ ctx, input }) => listDiscover(ctx, input)),

  offers: memberProcedure
    .meta({ summary: 'All public codes of one merchant', fromReplica: true })
    .input(merchantOffersInputSchema)
    .output(pageSchema(discoverCouponSchema))
    .query(({ ctx, input }) => listMerchantOffers(ctx, input)),

  import: activeMemberProcedure
    .meta({ summary: 'Imports a public code into the caller’s coupons' })
    .input(importInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => importOffer(ctx, input)),

  importAll: activeMemberProcedure
    .meta({ summary: 'Imports all public codes of a merchant' })
    .input(importAllInputSchema)
    .output(z.array(couponSchema))
    .mutation(({ ctx, input }) => importAll(ctx, input)),

  giveFeedback: activeMemberProcedure
    .meta({ summary: 'Says whether a public code worked' })
    .input(giveFeedbackInputSchema)
    .output(codeFeedbackSchema)
    .mutation(({ ctx, input }) => giveOfferFeedback(ctx, input)),
});
