import { z } from 'zod';
import {
  adminUserSchema,
  auditLineSchema,
  listUsersInputSchema,
  setUserStatusInputSchema,
} from '#contract/moderation.ts';
import {
  healthSchema,
  sitemapSubmissionSchema,
  weeklyFeesInputSchema,
  weeklyFeesSchema,
} from '#contract/operations.ts';
import {
  adminStatsSchema,
  feeLogSchema,
  feeRowsInputSchema,
  feeRowsSchema,
  listPlatformFeesInputSchema,
  platformFeeSchema,
} from '#contract/payments.ts';
import { pageSchema, pagingSchema } from '#contract/primitives.ts';
import { listAudit } from '#server/domains/audit/service.ts';
import { listUsers, setUserStatus } from '#server/domains/moderation/standing.ts';
import { health } from '#server/domains/operations/service.ts';
import {
  adminStats,
  feeRows,
  listFeeLogs,
  listPlatformFees,
  weeklyFees,
} from '#server/domains/payments/fees.ts';
import { submitSitemap } from '#server/domains/seo/service.ts';
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

  feeRows: adminProcedure
    .input(feeRowsInputSchema)
    .output(feeRowsSchema)
    .query(({ ctx, input }) => feeRows(ctx, input)),

  weeklyFees: adminProcedure
    .input(weeklyFeesInputSchema)
    .output(z.array(weeklyFeesSchema))
    .query(({ ctx, input }) => weeklyFees(ctx, input)),

  users: adminProcedure
    .input(listUsersInputSchema)
    .output(pageSchema(adminUserSchema))
    .query(({ ctx, input }) => listUsers(ctx, input)),

  setUserStatus: adminProcedure
    .input(setUserStatusInputSchema)
    .output(adminUserSchema)
    .mutation(({ ctx, input }) => setUserStatus(ctx, input)),

  auditLog: adminProcedure
    .input(pagingSchema)
    .output(pageSchema(auditLineSchema))
    .query(({ ctx, input }) => listAudit(ctx, input)),

  health: adminProcedure.output(healthSchema).query(({ ctx }) => health(ctx)),

  submitSitemap: adminProcedure.output(sitemapSubmissionSchema).mutation(({ ctx }) => submitSitemap(ctx)),
});
