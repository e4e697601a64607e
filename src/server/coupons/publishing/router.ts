import { z } from 'zod';
import { idInputSchema, okSchema, pageSchema } from '#contract/base/primitives.ts';
import { couponFeedbackSchema, giveFeedbackInputSchema } from '#contract/coupons/code-feedback.ts';
import {
  couponTableSchema,
  readTableFileInputSchema,
  readTableInputSchema,
} from '#contract/coupons/coupon-tables.ts';
import {
  codeImageInputSchema,
  couponSchema,
  couponSummarySchema,
  createCouponInputSchema,
  listAskableCouponsInputSchema,
  listCouponsInputSchema,
  listMerchantCouponsInputSchema,
  listOwnCouponsInputSchema,
  listSavedCouponsInputSchema,
  listViewedInputSchema,
  relatedCouponsSchema,
  revealedCodeSchema,
  saveCouponInputSchema,
  updateCouponInputSchema,
} from '#contract/coupons/coupons.ts';
import { storedImageSchema } from '#contract/coupons/images.ts';
import {
  keepCodesInputSchema,
  keepCodesSchema,
  reportViewsInputSchema,
} from '#contract/coupons/kept-codes.ts';
import { validateInputSchema, validationResultSchema } from '#contract/coupons/validation.ts';
import { feedbackOn, giveFeedback } from '#server/coupons/codes/code-feedback.ts';
import { keepCodes, listAtTill, reportViews } from '#server/coupons/codes/kept-codes.ts';
import { codeImage, revealCode } from '#server/coupons/codes/reveals.ts';
import { validateCoupon } from '#server/coupons/codes/validation.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import {
  listAskableCoupons,
  listCoupons,
  listMerchantCoupons,
  listOwnCoupons,
  listViewedCoupons,
} from '#server/coupons/search/listing.ts';
import { relatedCoupons } from '#server/coupons/search/related.ts';
import { listSavedCoupons, saveCoupon, unsaveCoupon } from '#server/coupons/search/saved.ts';
import { markUsed, unmarkUsed } from '#server/coupons/using/using.ts';
import {
  activeMemberProcedure,
  defenderProcedure,
  memberProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import { createCoupon, removeCoupon, updateCoupon } from './service.ts';
import { readTable, readTableFile } from './tables.ts';

/**
 * Everybody can browse coupons; the other calls are for their owners. `reveal` and `codeImage` show a code
 * and record that.
 */
export const couponsRouter = router({
  list: publicProcedure
    .meta({ summary: 'Browses, filters, searches and sorts the coupons on offer', fromReplica: true })
    .input(listCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listCoupons(ctx, input)),

  ofMerchant: publicProcedure
    .meta({ summary: 'The coupons on offer of one merchant', fromReplica: true })
    .input(listMerchantCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listMerchantCoupons(ctx, input)),

  byId: publicProcedure
    .meta({ summary: 'One coupon, without its code', fromReplica: true })
    .input(idInputSchema)
    .output(couponSchema)
    .query(({ ctx, input }) => couponById(ctx, input.id)),

  /** What a browser has opened lately: it keeps the ids, we do not. */
  viewed: publicProcedure
    .meta({ fromReplica: true })
    .input(listViewedInputSchema)
    .output(z.array(couponSummarySchema))
    .query(({ ctx, input }) => listViewedCoupons(ctx, input.ids)),

  related: publicProcedure
    .meta({
      summary: 'Other coupons of the same merchant, of the same owner, and like it',
      fromReplica: true,
    })
    .input(idInputSchema)
    .output(relatedCouponsSchema)
    .query(({ ctx, input }) => relatedCoupons(ctx, input.id)),

  mine: memberProcedure
    .meta({ summary: 'The caller’s own coupons' })
    .input(listOwnCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listOwnCoupons(ctx, input)),

  /** What the dialog of a code goes on to. */
  atTill: memberProcedure
    .input(idInputSchema)
    .output(z.array(couponSchema))
    .query(({ ctx, input }) => listAtTill(ctx, input.id)),

  askable: memberProcedure
    .meta({ summary: 'The coupons of one person that can be asked for in a swap' })
    .input(listAskableCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listAskableCoupons(ctx, input)),

  create: activeMemberProcedure
    .meta({ summary: 'Lists a coupon' })
    .input(createCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => createCoupon(ctx, input)),

  keepCodes: memberProcedure
    .meta({ summary: 'The codes of the caller’s coupons, for a device that shows them without a network' })
    .input(keepCodesInputSchema)
    .output(keepCodesSchema)
    .mutation(({ ctx, input }) => keepCodes(ctx, input)),

  reportViews: memberProcedure
    .meta({ summary: 'Records the codes that a device of the caller’s has shown without a network' })
    .input(reportViewsInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(reportViews(ctx, input))),

  /** Reads a table that somebody has pasted, before its rows are listed one by one. */
  readTable: activeMemberProcedure
    .input(readTableInputSchema)
    .output(couponTableSchema)
    .mutation(({ ctx, input }) => readTable(ctx, input)),

  readTableFile: activeMemberProcedure
    .input(readTableFileInputSchema)
    .output(couponTableSchema)
    .mutation(({ ctx, input }) => readTableFile(ctx, input)),

  update: activeMemberProcedure
    .meta({ summary: 'Edits one of the caller’s coupons' })
    .input(updateCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => updateCoupon(ctx, input)),

  remove: activeMemberProcedure
    .meta({ summary: 'Removes one of the caller’s coupons' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeCoupon(ctx, input.id))),

  markUsed: activeMemberProcedure
    .meta({ summary: 'Marks one of the caller’s coupons as used, and takes it off the market' })
    .input(idInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => markUsed(ctx, input.id)),

  unmarkUsed: activeMemberProcedure
    .meta({ summary: 'Takes back, within a day, that a coupon is used' })
    .input(idInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => unmarkUsed(ctx, input.id)),

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

  save: activeMemberProcedure
    .meta({ summary: 'Saves somebody’s coupon for later' })
    .input(saveCouponInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(saveCoupon(ctx, input.couponId))),

  unsave: activeMemberProcedure
    .meta({ summary: 'Removes a coupon from the saved ones' })
    .input(saveCouponInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(unsaveCoupon(ctx, input.couponId))),

  saved: memberProcedure
    .meta({ summary: 'The coupons that the caller has saved' })
    .input(listSavedCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listSavedCoupons(ctx, input)),

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
