import { pageSchema } from '#contract/base/primitives.ts';
import {
  leaderboardEntrySchema,
  listLeaderboardInputSchema,
  ownEntryInputSchema,
} from '#contract/oversight/leaderboard.ts';
import { memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { listLeaderboard, ownEntry } from './service.ts';

export const leaderboardRouter = router({
  list: publicProcedure
    .meta({ summary: 'The people with the most points, by category', fromReplica: true })
    .input(listLeaderboardInputSchema)
    .output(pageSchema(leaderboardEntrySchema))
    .query(({ ctx, input }) => listLeaderboard(ctx, input)),

  mine: memberProcedure
    .meta({ fromReplica: true })
    .input(ownEntryInputSchema)
    .output(leaderboardEntrySchema.nullable())
    .query(({ ctx, input }) => ownEntry(ctx, input)),
});
