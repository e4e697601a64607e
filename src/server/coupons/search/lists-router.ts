import { z } from 'zod';
import { idInputSchema, okSchema, pageSchema } from '#contract/base/primitives.ts';
import {
  couponSchema,
  couponSummarySchema,
  listAskableCouponsInputSchema,
  listCouponsInputSchema,
  listMerchantCouponsInputSchema,
  listOwnCouponsInputSchema,
  relatedCouponsSchema,
} from '#contract/coupons/coupons.ts';
import {
  listSavedCouponsInputSchema,
  listViewedInputSchema,
  saveCouponInputSchema,
} from '#contract/coupons/search.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import {
  activeMemberProcedure,
  memberProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import {
  listAskableCoupons,
  listCoupons,
  listMerchantCoupons,
  listOwnCoupons,
  listViewedCoupons,
} from './listing.ts';
import { relatedCoupons } from './related.ts';
import { listSavedCoupons, saveCoupon, unsaveCoupon } from './saved.ts';

/** Everybody can browse coupons. */
export const couponListsRouter = router({
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

  askable: memberProcedure
    .meta({ summary: 'The coupons of one person that can be asked for in a swap' })
    .input(listAskableCouponsInputSchema)
    .output(pageSchema(couponSchema))
    .query(({ ctx, input }) => listAskableCoupons(ctx, input)),

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
});
