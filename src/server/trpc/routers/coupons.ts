import {
  codeImageInputSchema,
  couponSchema,
  createCouponInputSchema,
  listCouponsInputSchema,
  listOwnCouponsInputSchema,
  listSavedCouponsInputSchema,
  revealedCodeSchema,
  saveCouponInputSchema,
  updateCouponInputSchema,
} from '#contract/coupons.ts';
import { storedImageSchema } from '#contract/images.ts';
import { idInputSchema, okSchema, pageSchema } from '#contract/primitives.ts';
import { validateInputSchema, validationResultSchema } from '#contract/validation.ts';
import {
  couponById,
  listCoupons,
  listOwnCoupons,
  listSavedCoupons,
} from '#server/domains/coupons/listing.ts';
import { codeImage, revealCode } from '#server/domains/coupons/reveals.ts';
import {
  createCoupon,
  removeCoupon,
  saveCoupon,
  unsaveCoupon,
  updateCoupon,
} from '#server/domains/coupons/service.ts';
import { validateCoupon } from '#server/domains/coupons/validation.ts';
import { activeMemberProcedure, memberProcedure, ok, publicProcedure, router } from '../procedures.ts';

/** Coupons: browsing is open to anybody, the rest to their owners. `reveal` and `codeImage` give a code, and record it. */
export const couponsRouter = router({
  list: publicProcedure
    .meta({ summary: 'Browses, filters, searches and sorts the coupons on offer' })
    .input(listCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listCoupons(ctx, input)),

  byId: publicProcedure
    .meta({ summary: 'One coupon, without its code' })
    .input(idInputSchema)
    .output(couponSchema)
    .query(({ ctx, input }) => couponById(ctx, input.id)),

  mine: memberProcedure
    .meta({ summary: 'The caller’s own coupons' })
    .input(listOwnCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listOwnCoupons(ctx, input)),

  create: activeMemberProcedure
    .meta({ summary: 'Lists a coupon' })
    .input(createCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => createCoupon(ctx, input)),

  update: activeMemberProcedure
    .meta({ summary: 'Edits a coupon of one’s own' })
    .input(updateCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => updateCoupon(ctx, input)),

  remove: activeMemberProcedure
    .meta({ summary: 'Takes a coupon of one’s own away' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeCoupon(ctx, input.id))),

  /** Allowed to suspended people too: the code is theirs. */
  reveal: memberProcedure
    .meta({ summary: 'Shows the owner the code, and records that' })
    .input(idInputSchema)
    .output(revealedCodeSchema)
    .mutation(({ ctx, input }) => revealCode(ctx, input.id)),

  /** A picture of the code; a look like `reveal`, and recorded like it. */
  codeImage: memberProcedure
    .input(codeImageInputSchema)
    .output(storedImageSchema)
    .query(({ ctx, input }) => codeImage(ctx, input)),

  save: activeMemberProcedure
    .meta({ summary: 'Saves somebody’s coupon for later' })
    .input(saveCouponInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(saveCoupon(ctx, input.couponId))),

  unsave: activeMemberProcedure
    .meta({ summary: 'Lets go of a saved coupon' })
    .input(saveCouponInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(unsaveCoupon(ctx, input.couponId))),

  saved: memberProcedure
    .meta({ summary: 'The coupons that the caller has saved' })
    .input(listSavedCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listSavedCoupons(ctx, input)),

  /** Open to anybody for a code of their own; a listed coupon's code is checked for members, and told to nobody. */
  validate: publicProcedure
    .meta({ summary: 'Judges a code; a listed coupon’s without telling it' })
    .input(validateInputSchema)
    .output(validationResultSchema)
    .mutation(({ ctx, input }) => validateCoupon(ctx, input)),
});
