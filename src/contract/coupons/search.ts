import { z } from 'zod';
import { SEARCH_MAX } from '#contract/base/bounds.ts';
import { idSchema, pagingSchema, textSchema } from '#contract/base/primitives.ts';
import { categorySchema } from './choice-schemas.ts';
import { couponFiltersSchema } from './coupons.ts';
import { VIEWED_MAX } from './limits.ts';

/** The first letters of a name, or of a word in it. */
export const suggestMerchantsInputSchema = z.object({ typed: textSchema(SEARCH_MAX, 2) });
export type SuggestMerchantsInput = z.output<typeof suggestMerchantsInputSchema>;

export const searchHelpInputSchema = z.object({ search: textSchema(SEARCH_MAX, 1) });
export type SearchHelpInput = z.output<typeof searchHelpInputSchema>;

/** What may help somebody whose search has found nothing. */
export const searchHelpSchema = z.object({
  didYouMean: z.string().nullable().describe('The search in words that coupons have; it finds something'),
  category: categorySchema.nullable().describe('The category that a word of the search belongs to'),
});
export type SearchHelp = z.output<typeof searchHelpSchema>;

export const countInputSchema = couponFiltersSchema;

/** How many coupons match, for lists that stop counting before. */
export const countSchema = z.object({
  total: z.int().describe('Counted up to 1000'),
  totalIsCapped: z.boolean().describe('Whether there are more than `total`'),
});

export const listViewedInputSchema = z.object({ ids: z.array(idSchema).min(1).max(VIEWED_MAX) });

/** Saving a coupon for later; other fields that clients send are ignored (decisions 2.8). */
export const saveCouponInputSchema = z.looseObject({ couponId: idSchema });

export const listSavedCouponsInputSchema = pagingSchema;
export type ListSavedCouponsInput = z.output<typeof listSavedCouponsInputSchema>;
