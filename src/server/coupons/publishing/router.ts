import {
  couponTableSchema,
  readTableFileInputSchema,
  readTableInputSchema,
} from '#contract/coupons/coupon-tables.ts';
import { couponSchema, createCouponInputSchema } from '#contract/coupons/coupons.ts';
import { activeMemberProcedure, router } from '#server/trpc/procedures.ts';
import { createCoupon } from './service.ts';
import { readTable, readTableFile } from './tables.ts';

/** What people do with their own coupons; mounted among the coupons. */
export const publishingRouter = router({
  create: activeMemberProcedure
    .meta({ summary: 'Lists a coupon' })
    .input(createCouponInputSchema)
    .output(couponSchema)
    .mutation(({ ctx, input }) => createCoupon(ctx, input)),

  /** Reads a table that somebody has pasted, before its rows are listed one by one. */
  readTable: activeMemberProcedure
    .input(readTableInputSchema)
    .output(couponTableSchema)
    .mutation(({ ctx, input }) => readTable(ctx, input)),

  readTableFile: activeMemberProcedure
    .input(readTableFileInputSchema)
    .output(couponTableSchema)
    .mutation(({ ctx, input }) => readTableFile(ctx, input)),
});
