import { idInputSchema } from '#contract/primitives.ts';
import { publicProfileSchema, userStatsSchema } from '#contract/profiles.ts';
import { ownStats, profileById } from '#server/domains/profiles/service.ts';
import { memberProcedure, publicProcedure, router } from '../procedures.ts';

/** What people have done here: for themselves, and for everybody. */
export const profilesRouter = router({
  stats: memberProcedure
    .meta({ summary: 'What the caller has done here' })
    .output(userStatsSchema)
    .query(({ ctx }) => ownStats(ctx)),

  byId: publicProcedure
    .meta({ summary: 'One person, as anybody may see them' })
    .input(idInputSchema)
    .output(publicProfileSchema)
    .query(({ ctx, input }) => profileById(ctx, input.id)),
});
