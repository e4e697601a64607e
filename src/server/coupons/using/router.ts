import { idInputSchema } from '#contract/base/primitives.ts';
import { couponSchema } from '#contract/coupons/coupons.ts';
import { activeMemberProcedure, router } from '#server/trpc/procedures.ts';
import { markUsed, unmarkUsed } from './using.ts';

/** Mounted among the coupons. */
export const usingRouter = router({
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
});
