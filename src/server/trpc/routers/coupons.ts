import {
  couponSchema,
  createCouponInputSchema,
  listCouponsInputSchema,
  listOwnCouponsInputSchema,
  revealedCodeSchema,
  updateCouponInputSchema,
} from '#contract/coupons.ts';
import { idInputSchema, okSchema, pageSchema } from '#contract/primitives.ts';
import {
  couponById,
  createCoupon,
  listCoupons,
  listOwnCoupons,
  removeCoupon,
  revealCode,
  updateCoupon,
} from '#server/domains/coupons/service.ts';
import { activeMemberProcedure, memberProcedure, publicProcedure, router } from '../procedures.ts';

/** Coupons: browsing is open to anybody, the rest to their owners. Only `reveal` gives a code, and records it. */
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
});
