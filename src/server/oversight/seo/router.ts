import { z } from 'zod';
import { cardInputSchema, cardSchema } from '#contract/coupons/cards.ts';
import { couponUrlSchema, couponUrlsInputSchema, sitemapPartSchema } from '#contract/oversight/seo.ts';
import { publicProcedure, router } from '#server/trpc/procedures.ts';
import { readCard } from './cards.ts';
import { listCouponUrls, listMerchantKeys, listSitemapParts } from './service.ts';

/** The coupons for the sitemap, and the drawn tickets for link previews. */
export const seoRouter = router({
  parts: publicProcedure
    .meta({ fromReplica: true })
    .output(z.array(sitemapPartSchema))
    .query(({ ctx }) => listSitemapParts(ctx)),

  couponUrls: publicProcedure
    .meta({ fromReplica: true })
    .input(couponUrlsInputSchema)
    .output(z.array(couponUrlSchema))
    .query(({ ctx, input }) => listCouponUrls(ctx, input)),

  merchantKeys: publicProcedure
    .meta({ fromReplica: true })
    .output(z.array(z.string()))
    .query(({ ctx }) => listMerchantKeys(ctx)),

  card: publicProcedure
    .meta({ fromReplica: true })
    .input(cardInputSchema)
    .output(cardSchema)
    .query(({ ctx, input }) => readCard(ctx, input)),
});
