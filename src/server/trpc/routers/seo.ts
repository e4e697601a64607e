import { z } from 'zod';
import { couponUrlSchema, couponUrlsInputSchema, sitemapPartSchema } from '#contract/seo.ts';
import { listCouponUrls, listSitemapParts } from '#server/domains/seo/service.ts';
import { publicProcedure, router } from '../procedures.ts';

/** The coupons for the sitemap. */
export const seoRouter = router({
  parts: publicProcedure.output(z.array(sitemapPartSchema)).query(({ ctx }) => listSitemapParts(ctx)),

  couponUrls: publicProcedure
    .input(couponUrlsInputSchema)
    .output(z.array(couponUrlSchema))
    .query(({ ctx, input }) => listCouponUrls(ctx, input)),
});
