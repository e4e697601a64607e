import { idInputSchema } from '#contract/base/primitives.ts';
import { couponSchema } from '#contract/coupons/coupons.ts';
import { activeMemberProcedure, router } from '#server/trpc/procedures.ts';
import { unmarkUsed } from './using.ts';

/** Mounted among the coupons. */
export const usingRouter = router({
  unmarkUsed: activeMemberProcedure
    .meta({ summary: 'Takes back, within a day, that a coupon is used' })
    .input(idInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => unmarkUsed(ctx, input.id)),
});
