import {
  adminStatsSchema,
  feeLogSchema,
  listPlatformFeesInputSchema,
  platformFeeSchema,
} from '#contract/payments.ts';
import { pageSchema, pagingSchema } from '#contract/primitives.ts';
import { adminStats, listFeeLogs, listPlatformFees } from '#server/domains/payments/fees.ts';
import { adminProcedure, router } from '../procedures.ts';

/** What admins see of the marketplace as a whole. */
export const adminRouter = router({
  stats: adminProcedure.output(adminStatsSchema).query(({ ctx }) => adminStats(ctx)),

  platformFees: adminProcedure
    .input(listPlatformFeesInputSchema)
    .output(pageSchema(platformFeeSchema))
    .query(({ ctx, input }) => listPlatformFees(ctx, input)),

  platformFeeLogs: adminProcedure
    .input(pagingSchema)
    .output(pageSchema(feeLogSchema))
    .query(({ ctx, input }) => listFeeLogs(ctx, input)),
});
