import {
  evidenceSchema,
  listMattersInputSchema,
  matterInputSchema,
  matterSchema,
  noteMatterInputSchema,
  paymentFileSchema,
  paymentInputSchema,
  refundInputSchema,
  retriedMatterSchema,
} from '#contract/matters.ts';
import { pageSchema } from '#contract/primitives.ts';
import { paymentFile, refundByAdmin } from '#server/domains/payments/admin.ts';
import { adminProcedure, router } from '#server/trpc/procedures.ts';
import { evidenceFor } from './evidence.ts';
import { handleMatter, listMatters, noteMatter, retryMatter } from './service.ts';

/** What waits for an admin because no program can decide it; for admins only. */
export const mattersRouter = router({
  list: adminProcedure
    .meta({ summary: 'Payment matters that wait for an admin' })
    .input(listMattersInputSchema)
    .output(pageSchema(matterSchema))
    .query(({ ctx, input }) => listMatters(ctx, input)),

  retry: adminProcedure
    .meta({ summary: 'Tries a payment matter again, for admins' })
    .input(matterInputSchema)
    .output(retriedMatterSchema)
    .mutation(({ ctx, input }) => retryMatter(ctx, input)),

  note: adminProcedure
    .meta({ summary: 'Adds a note to a payment matter, for admins' })
    .input(noteMatterInputSchema)
    .output(retriedMatterSchema)
    .mutation(({ ctx, input }) => noteMatter(ctx, input)),

  handle: adminProcedure
    .meta({ summary: 'Marks a payment matter as handled, for admins' })
    .input(matterInputSchema)
    .output(retriedMatterSchema)
    .mutation(({ ctx, input }) => handleMatter(ctx, input)),

  payment: adminProcedure
    .meta({ summary: 'A payment with all of its money, for admins' })
    .input(paymentInputSchema)
    .output(paymentFileSchema)
    .query(({ ctx, input }) => paymentFile(ctx, input.paymentId)),

  evidence: adminProcedure
    .meta({ summary: 'A text for the answer to a dispute, for admins' })
    .input(paymentInputSchema)
    .output(evidenceSchema)
    .query(({ ctx, input }) => evidenceFor(ctx, input.paymentId)),

  refund: adminProcedure
    .meta({ summary: 'Refunds a payment or a part of it, for admins' })
    .input(refundInputSchema)
    .output(paymentFileSchema)
    .mutation(({ ctx, input }) => refundByAdmin(ctx, input)),
});
