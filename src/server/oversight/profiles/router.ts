import { idInputSchema } from '#contract/base/primitives.ts';
import { firstStepsSchema, publicProfileSchema, userStatsSchema } from '#contract/oversight/profiles.ts';
import { memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { firstSteps, ownStats, profileById, profileOfCouponOwner } from './service.ts';

/** What people have done here: the caller's own statistics, and public profiles. */
export const profilesRouter = router({
  stats: memberProcedure
    .meta({ summary: 'The caller’s own statistics' })
    .output(userStatsSchema)
    .query(({ ctx }) => ownStats(ctx)),

  firstSteps: memberProcedure.output(firstStepsSchema).query(({ ctx }) => firstSteps(ctx)),

  ofCouponOwner: publicProcedure
    .meta({ summary: 'The public profile of the person who has a coupon', fromReplica: true })
    .input(idInputSchema)
    .output(publicProfileSchema)
    .query(({ ctx, input }) => profileOfCouponOwner(ctx, input.id)),

  byId: publicProcedure
    .meta({ summary: 'The public profile of a person', fromReplica: true })
    .input(idInputSchema)
    .output(publicProfileSchema)
    .query(({ ctx, input }) => profileById(ctx, input.id)),
});
