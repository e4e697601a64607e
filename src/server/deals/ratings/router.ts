import { pageSchema } from '#contract/base/primitives.ts';
import {
  createRatingInputSchema,
  dealRatingsInputSchema,
  dealRatingsSchema,
  listRatingsInputSchema,
  ratingSchema,
} from '#contract/deals/ratings.ts';
import { activeMemberProcedure, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { createRating, listRatingsOf, ratingsOfDeal } from './service.ts';

/** Ratings that the parties of a deal give each other. */
export const ratingsRouter = router({
  create: activeMemberProcedure
    .meta({ summary: 'Rates the other side of a completed deal' })
    .input(createRatingInputSchema)
    .output(ratingSchema)
    .mutation(({ ctx, input }) => createRating(ctx, input)),

  ofUser: publicProcedure
    .meta({ summary: 'The ratings of a person', fromReplica: true })
    .input(listRatingsInputSchema)
    .output(pageSchema(ratingSchema))
    .query(({ ctx, input }) => listRatingsOf(ctx, input)),

  ofDeal: memberProcedure
    .input(dealRatingsInputSchema)
    .output(dealRatingsSchema)
    .query(({ ctx, input }) => ratingsOfDeal(ctx, input)),
});
