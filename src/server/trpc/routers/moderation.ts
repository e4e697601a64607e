import {
  createdReportSchema,
  createReportInputSchema,
  listReportsInputSchema,
  reportSchema,
  reviewedReportSchema,
  reviewReportInputSchema,
} from '#contract/moderation.ts';
import { pageSchema } from '#contract/primitives.ts';
import { listReports, reportPerson, reviewReport } from '#server/domains/moderation/reports.ts';
import { activeMemberProcedure, moderatorProcedure, router } from '../procedures.ts';

export const moderationRouter = router({
  report: activeMemberProcedure
    .input(createReportInputSchema)
    .output(createdReportSchema)
    .mutation(({ ctx, input }) => reportPerson(ctx, input)),

  reports: moderatorProcedure
    .input(listReportsInputSchema)
    .output(pageSchema(reportSchema))
    .query(({ ctx, input }) => listReports(ctx, input)),

  review: moderatorProcedure
    .input(reviewReportInputSchema)
    .output(reviewedReportSchema)
    .mutation(({ ctx, input }) => reviewReport(ctx, input)),
});
