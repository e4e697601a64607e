import { pageSchema } from '#contract/base/primitives.ts';
import {
  evidenceSchema,
  listPaymentIssuesInputSchema,
  notePaymentIssueInputSchema,
  paymentDetailsSchema,
  paymentInputSchema,
  paymentIssueInputSchema,
  paymentIssueSchema,
  refundInputSchema,
  retriedPaymentIssueSchema,
} from '#contract/money/payment-issues.ts';
import { paymentDetails, refundByAdmin } from '#server/money/payments/service.ts';
import { adminProcedure, router } from '#server/trpc/procedures.ts';
import { evidenceFor } from './evidence.ts';
import { handlePaymentIssue, listPaymentIssues, notePaymentIssue, retryPaymentIssue } from './service.ts';

/** What waits for an admin because no program can decide it; for admins only. */
export const paymentIssuesRouter = router({
  list: adminProcedure
    .meta({ summary: 'Payment issues that wait for an admin' })
    .input(listPaymentIssuesInputSchema)
    .output(pageSchema(paymentIssueSchema))
    .query(({ ctx, input }) => listPaymentIssues(ctx, input)),

  retry: adminProcedure
    .meta({ summary: 'Tries a payment issue again, for admins' })
    .input(paymentIssueInputSchema)
    .output(retriedPaymentIssueSchema)
    .mutation(({ ctx, input }) => retryPaymentIssue(ctx, input)),

  note: adminProcedure
    .meta({ summary: 'Adds a note to a payment issue, for admins' })
    .input(notePaymentIssueInputSchema)
    .output(retriedPaymentIssueSchema)
    .mutation(({ ctx, input }) => notePaymentIssue(ctx, input)),

  handle: adminProcedure
    .meta({ summary: 'Marks a payment issue as handled, for admins' })
    .input(paymentIssueInputSchema)
    .output(retriedPaymentIssueSchema)
    .mutation(({ ctx, input }) => handlePaymentIssue(ctx, input)),

  payment: adminProcedure
    .meta({ summary: 'A payment with all of its money, for admins' })
    .input(paymentInputSchema)
    .output(paymentDetailsSchema)
    .query(({ ctx, input }) => paymentDetails(ctx, input.paymentId)),

  evidence: adminProcedure
    .meta({ summary: 'A text for the answer to a dispute, for admins' })
    .input(paymentInputSchema)
    .output(evidenceSchema)
    .query(({ ctx, input }) => evidenceFor(ctx, input.paymentId)),

  refund: adminProcedure
    .meta({ summary: 'Refunds a payment or a part of it, for admins' })
    .input(refundInputSchema)
    .output(paymentDetailsSchema)
    .mutation(({ ctx, input }) => refundByAdmin(ctx, input)),
});
