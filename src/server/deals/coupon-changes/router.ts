import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import { couponSchema, updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import { activeMemberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { markUsed, removeCoupon, updateCoupon } from './service.ts';

/** Changes of coupons that end deals; mounted among the coupons. */
export const couponChangesRouter = router({
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
});
