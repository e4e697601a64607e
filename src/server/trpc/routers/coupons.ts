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
import { saveCoupon, unsaveCoupon } from '#server/domains/coupons/saved.ts';
import { createCoupon, removeCoupon, updateCoupon } from '#server/domains/coupons/service.ts';
import { validateCoupon } from '#server/domains/coupons/validation.ts';
import { activeMemberProcedure, memberProcedure, publicProcedure, router } from '../procedures.ts';

/** Coupons: browsing is open to anybody, the rest to their owners. `reveal` and `codeImage` give a code, and record it. */
export const couponsRouter = router({
  list: publicProcedure
    .input(listCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listCoupons(ctx, input)),

  byId: publicProcedure
    .input(idInputSchema)
    .output(couponSchema)
    .query(({ ctx, input }) => couponById(ctx, input.id)),

  mine: memberProcedure
    .input(listOwnCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listOwnCoupons(ctx, input)),

  create: activeMemberProcedure
    .input(createCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => createCoupon(ctx, input)),

  update: activeMemberProcedure
    .input(updateCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => updateCoupon(ctx, input)),

  remove: activeMemberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await removeCoupon(ctx, input.id);
      return { ok: true } as const;
    }),

  /** Allowed to suspended people too: the code is theirs. */
  reveal: memberProcedure
    .input(idInputSchema)
    .output(revealedCodeSchema)
    .mutation(({ ctx, input }) => revealCode(ctx, input.id)),

  /** A picture of the code; a look like `reveal`, and recorded like it. */
  codeImage: memberProcedure
    .input(codeImageInputSchema)
    .output(storedImageSchema)
    .query(({ ctx, input }) => codeImage(ctx, input)),

  save: activeMemberProcedure
    .input(saveCouponInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await saveCoupon(ctx, input.couponId);
      return { ok: true } as const;
    }),

  unsave: activeMemberProcedure
    .input(saveCouponInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await unsaveCoupon(ctx, input.couponId);
      return { ok: true } as const;
    }),

  saved: memberProcedure
    .input(listSavedCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listSavedCoupons(ctx, input)),

  /** Open to anybody for a code of their own; a listed coupon's code is checked for members, and told to nobody. */
  validate: publicProcedure
    .input(validateInputSchema)
    .output(validationResultSchema)
    .mutation(({ ctx, input }) => validateCoupon(ctx, input)),
});
