import { idInputSchema } from '#contract/base/primitives.ts';
import {
  couponHealthSchema,
  merchantHealthInputSchema,
  merchantHealthSchema,
} from '#contract/coupons/health.ts';
import { publicProcedure, router } from '#server/trpc/procedures.ts';
import { healthOfCoupon, healthOfMerchant } from './service.ts';

/** How likely codes are to work. */
export const healthRouter = router({
  ofCoupon: publicProcedure
    .meta({ summary: 'How likely the code of a coupon is to work, and why', fromReplica: true })
    .input(idInputSchema)
    .output(couponHealthSchema)
    .query(({ ctx, input }) => healthOfCoupon(ctx, input.id)),

  ofMerchant: publicProcedure
    .meta({ summary: 'How likely codes of a merchant are to work', fromReplica: true })
    .input(merchantHealthInputSchema)
    .output(merchantHealthSchema)
    .query(({ ctx, input }) => healthOfMerchant(ctx, input)),
});
