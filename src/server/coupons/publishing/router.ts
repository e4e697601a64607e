import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import {
  couponTableSchema,
  readTableFileInputSchema,
  readTableInputSchema,
} from '#contract/coupons/coupon-tables.ts';
import { couponSchema, createCouponInputSchema, updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import { activeMemberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { createCoupon, removeCoupon, updateCoupon } from './service.ts';
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
});
