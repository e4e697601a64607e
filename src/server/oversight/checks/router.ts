import { z } from 'zod';
import { okSchema, pageSchema } from '#contract/base/primitives.ts';
import { rowOutcomesSchema } from '#contract/base/tables.ts';
import { adminDebtSchema, settleDebtInputSchema } from '#contract/money/debts.ts';
import {
  adminStatsSchema,
  feeLogRowsInputSchema,
  feeLogRowsSchema,
  feeLogSchema,
  feeRowsInputSchema,
  feeRowsSchema,
  listFeeLogsInputSchema,
  listPlatformFeesInputSchema,
  platformFeeSchema,
} from '#contract/money/payments.ts';
import { journalRowsInputSchema, journalRowsSchema } from '#contract/money/receipts.ts';
import {
  adminUserSchema,
  auditLineSchema,
  auditRowsInputSchema,
  auditRowsSchema,
  deniedRequestRowsInputSchema,
  deniedRequestRowsSchema,
  deniedRequestSchema,
  listAuditInputSchema,
  listDeniedRequestsInputSchema,
  listUsersInputSchema,
  resetSecondFactorInputSchema,
  setUserStatusesInputSchema,
  setUserStatusInputSchema,
  userRowsInputSchema,
  userRowsSchema,
} from '#contract/oversight/moderation.ts';
import {
  checksSchema,
  healthSchema,
  runChecksInputSchema,
  sitemapSubmissionSchema,
  weeklyFeesInputSchema,
  weeklyFeesSchema,
} from '#contract/oversight/operations.ts';
import { listDebts } from '#server/money/debts/service.ts';
import { settleDebt } from '#server/money/payments/service.ts';
import {
  adminStats,
  feeLogRows,
  feeRows,
  journalRows,
  listFeeLogs,
  listPlatformFees,
  weeklyFees,
} from '#server/money/reports/service.ts';
import {
  listUsers,
  resetSecondFactor,
  setUserStatus,
  setUserStatuses,
  userRows,
} from '#server/oversight/moderation/service.ts';
import { submitSitemap } from '#server/oversight/seo/service.ts';
import { currentUser } from '#server/people/accounts/service.ts';
import { auditRows, deniedRequestRows, listAudit, listDeniedRequests } from '#server/people/audit/service.ts';
import { adminProcedure, ok, router } from '#server/trpc/procedures.ts';
import { countRun, runChecks } from './checks.ts';
import { health } from './job-runs.ts';

/** Fees, people, the audit log and the state of the system; for admins only. */
export const adminRouter = router({
  stats: adminProcedure
    .meta({ summary: 'What the marketplace earns, for admins' })
    .output(adminStatsSchema)
    .query(({ ctx }) => adminStats(ctx)),

  platformFees: adminProcedure
    .meta({ summary: 'The fee of each sale, for admins' })
    .input(listPlatformFeesInputSchema)
    .output(pageSchema(platformFeeSchema))
    .query(({ ctx, input }) => listPlatformFees(ctx, input)),

  platformFeeLogs: adminProcedure
    .meta({ summary: 'The history of fees, for admins' })
    .input(listFeeLogsInputSchema)
    .output(pageSchema(feeLogSchema))
    .query(({ ctx, input }) => listFeeLogs(ctx, input)),

  feeLogRows: adminProcedure
    .input(feeLogRowsInputSchema)
    .output(feeLogRowsSchema)
    .query(({ ctx, input }) => feeLogRows(ctx, input)),

  debts: adminProcedure
    .meta({ summary: 'What sellers owe, oldest first, for admins' })
    .output(z.array(adminDebtSchema))
    .query(({ ctx }) => listDebts(ctx)),

  settleDebt: adminProcedure
    .meta({ summary: 'Writes a seller’s debt off, or notes that PayPal has collected it, for admins' })
    .input(settleDebtInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(settleDebt(ctx, input))),

  journalRows: adminProcedure
    .input(journalRowsInputSchema)
    .output(journalRowsSchema)
    .query(({ ctx, input }) => journalRows(ctx, input)),

  feeRows: adminProcedure
    .input(feeRowsInputSchema)
    .output(feeRowsSchema)
    .query(({ ctx, input }) => feeRows(ctx, input)),

  weeklyFees: adminProcedure
    .meta({ summary: 'The fees of each week, for admins' })
    .input(weeklyFeesInputSchema)
    .output(z.array(weeklyFeesSchema))
    .query(({ ctx, input }) => weeklyFees(ctx, input)),

  users: adminProcedure
    .meta({ summary: 'People, for admins' })
    .input(listUsersInputSchema)
    .output(pageSchema(adminUserSchema))
    .query(({ ctx, input }) => listUsers(ctx, input)),

  userRows: adminProcedure
    .input(userRowsInputSchema)
    .output(userRowsSchema)
    .query(({ ctx, input }) => userRows(ctx, input)),

  setUserStatus: adminProcedure
    .meta({ summary: 'Changes a person’s status, for admins' })
    .input(setUserStatusInputSchema)
    .output(adminUserSchema)
    .mutation(({ ctx, input }) => setUserStatus(ctx, input)),

  setUserStatuses: adminProcedure
    .meta({ summary: 'Gives several people the same status, for admins' })
    .input(setUserStatusesInputSchema)
    .output(rowOutcomesSchema)
    .mutation(({ ctx, input }) => setUserStatuses(ctx, input)),

  resetSecondFactor: adminProcedure
    .meta({ summary: 'Turns a person’s lost second factor off, for admins' })
    .input(resetSecondFactorInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(resetSecondFactor(ctx, input))),

  auditLog: adminProcedure
    .meta({ summary: 'What moderators and admins have done' })
    .input(listAuditInputSchema)
    .output(pageSchema(auditLineSchema))
    .query(({ ctx, input }) => listAudit(ctx, input)),

  auditRows: adminProcedure
    .input(auditRowsInputSchema)
    .output(auditRowsSchema)
    .query(({ ctx, input }) => auditRows(ctx, input)),

  deniedRequests: adminProcedure
    .meta({ summary: 'What people were refused, counted per hour' })
    .input(listDeniedRequestsInputSchema)
    .output(pageSchema(deniedRequestSchema))
    .query(({ ctx, input }) => listDeniedRequests(ctx, input)),

  deniedRequestRows: adminProcedure
    .input(deniedRequestRowsInputSchema)
    .output(deniedRequestRowsSchema)
    .query(({ ctx, input }) => deniedRequestRows(ctx, input)),

  health: adminProcedure
    .meta({ summary: 'The state of jobs, webhooks and mail, for admins' })
    .output(healthSchema)
    .query(({ ctx }) => health(ctx)),

  submitSitemap: adminProcedure
    .meta({ summary: 'Submits the sitemap to the search engines, for admins' })
    .output(sitemapSubmissionSchema)
    .mutation(({ ctx }) => submitSitemap(ctx)),
});

/** The checks of the installation; for admins only. */
export const operationsRouter = router({
  checks: adminProcedure
    .meta({ summary: 'Checks the installation and what it needs, for admins' })
    .input(runChecksInputSchema)
    .output(checksSchema)
    .mutation(async ({ ctx, input }) => {
      if (!ctx.installation) throw new Error('The checks need a request');
      await countRun(ctx);
      const mailTo = input.sendsMail ? (await currentUser(ctx)).email : null;
      return runChecks({ ...ctx, ...ctx.installation, environment: process.env, mailTo });
    }),
});
