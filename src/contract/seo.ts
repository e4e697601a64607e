import { z } from 'zod';
import { idSchema, instantSchema } from './primitives.ts';

/** No sitemap may list more addresses (sitemaps.org). */
export const SITEMAP_MAX_URLS = 50_000;

const MAX_PAGE = 1_000;

/** Sitemap part n lists the coupons with ids in (n · 50,000, (n + 1) · 50,000]: an address never changes its part. */
export const couponUrlsInputSchema = z.object({
  part: z.int().min(0).max(42_949),
  /** Goes on behind this coupon. */
  after: idSchema.optional(),
  limit: z.int().min(1).max(MAX_PAGE).default(MAX_PAGE),
});
export type CouponUrlsInput = z.output<typeof couponUrlsInputSchema>;

/** A coupon that search engines should know, and when it last changed. */
export const couponUrlSchema = z.object({ id: idSchema, changedAt: instantSchema });
export type CouponUrl = z.output<typeof couponUrlSchema>;

/** A part with coupons in it, and when the last of them changed. */
export const sitemapPartSchema = z.object({ part: z.int(), changedAt: instantSchema });
export type SitemapPart = z.output<typeof sitemapPartSchema>;
