import { z } from 'zod';
import { idSchema, instantSchema } from '#contract/base/primitives.ts';

/** The largest number of pages in one sitemap: sitemaps.org allows 50,000 addresses, and each page has one a language. */
export const SITEMAP_MAX_URLS = 25_000;

const MAX_PAGE = 1_000;

/**
 * Sitemap part n lists the coupons with ids in (n · 25,000, (n + 1) · 25,000], so that an address always stays in
 * the same part.
 */
export const couponUrlsInputSchema = z.object({
  part: z.int().min(0).max(42_949),
  /** Lists the coupons after this id. */
  after: idSchema.optional(),
  limit: z.int().min(1).max(MAX_PAGE).default(MAX_PAGE),
});
export type CouponUrlsInput = z.output<typeof couponUrlsInputSchema>;

/** A coupon for search engines, and when it last changed. */
export const couponUrlSchema = z.object({ id: idSchema, changedAt: instantSchema });
export type CouponUrl = z.output<typeof couponUrlSchema>;

/** A part that has coupons, and when the last of them changed. */
export const sitemapPartSchema = z.object({ part: z.int(), changedAt: instantSchema });
export type SitemapPart = z.output<typeof sitemapPartSchema>;
