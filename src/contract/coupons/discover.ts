import { z } from 'zod';
import {
  codeTextSchema,
  daySchema,
  idSchema,
  instantSchema,
  pagingSchema,
  textSchema,
  VALUE_UNIT,
} from '#contract/base/primitives.ts';
import { discountTypeSchema } from './choice-schemas.ts';
import { codeFeedbackSchema } from './code-feedback.ts';
import { regionsSchema } from './coupons.ts';
import { CODE_MAX, MERCHANT_MAX } from './limits.ts';

/** How many offers of each merchant the list of merchants contains. */
export const OFFERS_PER_MERCHANT = 12;
/** How many offers Import All imports at once. */
export const IMPORT_ALL_MAX = 100;
/** Length in characters of an offer's terms on its card. */
export const TERMS_SHOWN = 80;

/** A public code from a feed. */
export const discoverCouponSchema = z.object({
  id: idSchema,
  code: z.string(),
  title: z.string(),
  description: z.string(),
  value: z.int().nullable().describe(`${VALUE_UNIT}; null where the feed does not say`),
  discountType: discountTypeSchema.nullable(),
  isValueRead: z
    .boolean()
    .describe('Whether the value is read from the title, since the feed has no field that states it'),
  expiryDate: daySchema.nullable(),
  expiresAt: instantSchema.nullable().describe('When its last day ends in the last time zone of its regions'),
  endTime: z
    .string()
    .nullable()
    .describe(
      'When it ends, in ISO 8601; without a zone where the feed names none; null where it states no time',
    ),
  regions: regionsSchema,
  terms: z.string().nullable(),
  sourceUrl: z.string().nullable(),
  isVerified: z.boolean(),
  merchant: z.string(),
  /** Whether the caller has imported it. */
  isImported: z.boolean(),
  feedback: codeFeedbackSchema,
});
discoverCouponSchema.register(z.globalRegistry, { id: 'DiscoverCoupon' });
export type DiscoverCoupon = z.output<typeof discoverCouponSchema>;

/** A public code without the data of our own listing. */
export interface PublicOffer
  extends Omit<DiscoverCoupon, 'id' | 'expiresAt' | 'isVerified' | 'isImported' | 'feedback'> {
  /** Where the feed has its picture. Browsers never load it: the server takes a copy at the import. */
  readonly imageUrl: string | null;
}

/** An offer as a feed states it; texts are plain, trimmed and bounded. */
export interface FeedOffer extends PublicOffer {
  /** The first day, `YYYY-MM-DD`; null when none is stated. */
  readonly startDate: string | null;
}

/** A merchant, its number of offers, and the first of them. */
export const discoverGroupSchema = z.object({
  merchant: z.string(),
  total: z.int(),
  coupons: z.array(discoverCouponSchema),
});
discoverGroupSchema.register(z.globalRegistry, { id: 'DiscoverGroup' });
export type DiscoverGroup = z.output<typeof discoverGroupSchema>;

/** Merchants by name; `search` is a part of the name. Each contains offers, so a page has fewer of them. */
export const discoverInputSchema = pagingSchema.extend({
  limit: z.int().min(1).max(24).default(12),
  search: textSchema(MERCHANT_MAX).optional(),
});
export type DiscoverInput = z.output<typeof discoverInputSchema>;

export const merchantOffersInputSchema = pagingSchema.extend({ merchant: textSchema(MERCHANT_MAX, 1) });
export type MerchantOffersInput = z.output<typeof merchantOffersInputSchema>;

export const importInputSchema = z.object({
  code: codeTextSchema(CODE_MAX, 1),
  merchant: textSchema(MERCHANT_MAX, 1),
});
export type ImportInput = z.output<typeof importInputSchema>;
export const importAllInputSchema = z.object({ merchant: textSchema(MERCHANT_MAX, 1) });
export type ImportAllInput = z.output<typeof importAllInputSchema>;
