import { z } from 'zod';
import { idInputSchema, okSchema, pageSchema } from '#contract/base/primitives.ts';
import { rowOutcomesSchema } from '#contract/base/tables.ts';
import { claimCaseSchema, personRecordSchema } from '#contract/oversight/cases.ts';
import {
  createdReportSchema,
  createReportInputSchema,
  decideCouponsInputSchema,
  decidedCouponsSchema,
  listReportsInputSchema,
  removePictureInputSchema,
  reportRowsInputSchema,
  reportRowsSchema,
  reportSchema,
  reviewedReportSchema,
  reviewReportInputSchema,
  reviewReportsInputSchema,
  waitingCouponSchema,
} from '#contract/oversight/moderation.ts';
import { deleteAccountInputSchema } from '#contract/people/accounts.ts';
import { blockInputSchema } from '#contract/people/blocks.ts';
import {
  activeMemberProcedure,
  memberProcedure,
  moderatorProcedure,
  ok,
  router,
} from '#server/trpc/procedures.ts';
import { blockPerson } from './blocking.ts';
import { claimCase, personRecord } from './cases.ts';
import { deleteAccount } from './leaving.ts';
import { removePicture } from './pictures.ts';
import { listReports, reportPerson, reportRows, reviewReport, reviewReports } from './reports.ts';
import { decideCoupons, listWaitingCoupons } from './waiting-coupons.ts';

export const moderationRouter = router({
  report: activeMemberProcedure
    .meta({ summary: 'Reports a person to the moderators' })
    .input(createReportInputSchema)
    .output(createdReportSchema)
    .mutation(({ ctx, input }) => reportPerson(ctx, input)),

  reports: moderatorProcedure
    .meta({ summary: 'Reports on people, for moderators' })
    .input(listReportsInputSchema)
    .output(pageSchema(reportSchema))
    .query(({ ctx, input }) => listReports(ctx, input)),

  reportRows: moderatorProcedure
    .input(reportRowsInputSchema)
    .output(reportRowsSchema)
    .query(({ ctx, input }) => reportRows(ctx, input)),

  review: moderatorProcedure
    .meta({ summary: 'Decides a report, for moderators' })
    .input(reviewReportInputSchema)
    .output(reviewedReportSchema)
    .mutation(({ ctx, input }) => reviewReport(ctx, input)),

  reviewSeveral: moderatorProcedure
    .meta({ summary: 'Decides several reports in the same way, for moderators' })
    .input(reviewReportsInputSchema)
    .output(rowOutcomesSchema)
    .mutation(({ ctx, input }) => reviewReports(ctx, input)),

  removePicture: moderatorProcedure
    .meta({ summary: 'Removes the picture of a coupon or a person, for moderators' })
    .input(removePictureInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removePicture(ctx, input))),

  personRecord: moderatorProcedure
    .meta({ summary: 'What a person has done, and what was decided about them, for moderators' })
    .input(idInputSchema)
    .output(personRecordSchema)
    .query(({ ctx, input }) => personRecord(ctx, input.id)),

  claimCase: moderatorProcedure
    .meta({ summary: 'What to read before deciding a claim, for moderators' })
    .input(idInputSchema)
    .output(claimCaseSchema)
    .query(({ ctx, input }) => claimCase(ctx, input.id)),

  waitingCoupons: moderatorProcedure
    .output(z.array(waitingCouponSchema))
    .query(({ ctx }) => listWaitingCoupons(ctx)),

  decideCoupons: moderatorProcedure
    .input(decideCouponsInputSchema)
    .output(decidedCouponsSchema)
    .mutation(({ ctx, input }) => decideCoupons(ctx, input)),
});

/** Blocking ends deals; mounted among the blocks. */
export const blockingRouter = router({
  add: memberProcedure
    .meta({ summary: 'Blocks a person: no new deals and messages between the two' })
    .input(blockInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(blockPerson(ctx, input))),
});

/** Leaving ends deals; mounted among the accounts. */
export const leavingRouter = router({
  deleteAccount: memberProcedure
    .meta({ summary: 'Ends the caller’s account for good' })
    .input(deleteAccountInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await deleteAccount(ctx, input, ctx.challengeCookie.token);
      ctx.sessionCookie.clear();
      return { ok: true };
    }),
});
