import { idInputSchema, pageSchema } from '#contract/base/primitives.ts';
import {
  dealCountSchema,
  dealSchema,
  dealsForCouponSchema,
  listDealsInputSchema,
} from '#contract/deals/deal-list.ts';
import { memberProcedure, router } from '#server/trpc/procedures.ts';
import { countDeals, dealsForCoupon, listDeals } from './service.ts';

/**
 * Deals of all kinds; each call only shows the caller's own.
 * @param withProtection adds the protection of their sales to bids, which deals do not know
 */
export const dealsRouter = (withProtection: Parameters<typeof listDeals>[2]) =>
  router({
    list: memberProcedure
      .meta({ summary: 'The caller’s deals of all kinds: first what waits for the caller' })
      .input(listDealsInputSchema)
      .output(pageSchema(dealSchema))
      .query(({ ctx, input }) => listDeals(ctx, input, withProtection)),

    forCoupon: memberProcedure
      .input(idInputSchema)
      .output(dealsForCouponSchema)
      .query(({ ctx, input }) => dealsForCoupon(ctx, input.id, withProtection)),

    count: memberProcedure
      .meta({ summary: 'How many deals wait for the caller' })
      .output(dealCountSchema)
      .query(({ ctx }) => countDeals(ctx)),
  });
