import { absenceSchema, setAwayInputSchema } from '#contract/deals/away.ts';
import { memberProcedure, router } from '#server/trpc/procedures.ts';
import { ownAbsence, setAway } from './service.ts';

/** Suspended people may be away, too. */
export const awayRouter = router({
  get: memberProcedure
    .meta({ summary: 'Until when the caller is away' })
    .output(absenceSchema)
    .query(({ ctx }) => ownAbsence(ctx)),

  set: memberProcedure
    .meta({ summary: 'Says that the caller is away until a day, or back' })
    .input(setAwayInputSchema)
    .output(absenceSchema)
    .mutation(({ ctx, input }) => setAway(ctx, input)),
});
