import { merchantInputSchema, merchantSchema } from '#contract/coupons/merchants.ts';
import { publicProcedure, router } from '#server/trpc/procedures.ts';
import { merchantByName } from './service.ts';

/** The pages of merchants. */
export const merchantsRouter = router({
  byName: publicProcedure
    .meta({
      summary: 'A merchant: its public codes, whether they work, and how many people look for it',
      fromReplica: true,
    })
    .input(merchantInputSchema)
    .output(merchantSchema)
    .query(({ ctx, input }) => merchantByName(ctx, input)),
});
