import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import { couponFeedbackSchema, giveFeedbackInputSchema } from '#contract/coupons/code-feedback.ts';
import { codeImageInputSchema, couponSchema, revealedCodeSchema } from '#contract/coupons/coupons.ts';
import { storedImageSchema } from '#contract/coupons/images.ts';
import {
  offlineCodesInputSchema,
  offlineCodesSchema,
  reportViewsInputSchema,
} from '#contract/coupons/offline-codes.ts';
import { validateInputSchema, validationResultSchema } from '#contract/coupons/validation.ts';
import {
  activeMemberProcedure,
  defenderProcedure,
  memberProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import { feedbackOn, giveFeedback } from './code-feedback.ts';
import { keepCodes, listAtTill, reportViews } from './kept-codes.ts';
import { codeImage, revealCode } from './reveals.ts';
import { validateCoupon } from './validation.ts';

/** `reveal` and `codeImage` show a code and record that; mounted among the coupons. */
export const codesRouter = router({
  /** What the dialog of a code goes on to. */
  atTill: memberProcedure
    .input(idInputSchema)
    .output(z.array(couponSchema))
    .query(({ ctx, input }) => listAtTill(ctx, input.id)),

  keepCodes: memberProcedure
    .meta({ summary: 'The codes of the caller’s coupons, for a device that shows them without a network' })
    .input(offlineCodesInputSchema)
    .output(offlineCodesSchema)
    .mutation(({ ctx, input }) => keepCodes(ctx, input)),

  reportViews: memberProcedure
    .meta({ summary: 'Records the codes that a device of the caller’s has shown without a network' })
    .input(reportViewsInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(reportViews(ctx, input))),

  feedback: publicProcedure
    .meta({ summary: 'Whether a coupon’s code worked for those who got it in a deal', fromReplica: true })
    .input(idInputSchema)
    .output(couponFeedbackSchema)
    .query(({ ctx, input }) => feedbackOn(ctx, input.id)),

  giveFeedback: activeMemberProcedure
    .meta({ summary: 'Says whether the code of a coupon worked that the caller got in a deal' })
    .input(giveFeedbackInputSchema)
    .output(couponFeedbackSchema)
    .mutation(({ ctx, input }) => giveFeedback(ctx, input)),

  /** Suspended people may use it too: the code is theirs. */
  reveal: defenderProcedure
    .meta({ summary: 'Shows the owner the code, and records the view' })
    .input(idInputSchema)
    .output(revealedCodeSchema)
    .mutation(({ ctx, input }) => revealCode(ctx, input.id)),

  /** A picture of the code; recorded like `reveal`. */
  codeImage: defenderProcedure
    .meta({ recordsView: true })
    .input(codeImageInputSchema)
    .output(storedImageSchema)
    .query(({ ctx, input }) => codeImage(ctx, input)),

  /**
   * Everybody may check a code they enter; a listed coupon's code is only checked for members, and never
   * shown.
   */
  validate: publicProcedure
    .meta({ summary: 'Validates a code; a listed coupon’s without showing it' })
    .input(validateInputSchema)
    .output(validationResultSchema)
    .mutation(({ ctx, input }) => validateCoupon(ctx, input)),
});
