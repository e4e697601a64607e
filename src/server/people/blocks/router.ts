import { z } from 'zod';
import { okSchema } from '#contract/base/primitives.ts';
import { blockedPersonSchema, blockInputSchema } from '#contract/people/blocks.ts';
import { memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { listBlocked, unblockPerson } from './service.ts';

/** Suspended people may block, too: it only keeps others away. */
export const blocksRouter = router({
  list: memberProcedure
    .meta({ summary: 'The people whom the caller has blocked' })
    .output(z.array(blockedPersonSchema))
    .query(({ ctx }) => listBlocked(ctx)),

  remove: memberProcedure
    .meta({ summary: 'Unblocks a person' })
    .input(blockInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(unblockPerson(ctx, input.userId))),
});
