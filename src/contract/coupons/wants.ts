import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { WANT_GIFTS_MAX } from '#contract/base/limits.ts';
import { countrySchema, givenCountrySchema, idSchema, instantSchema } from '#contract/base/primitives.ts';
import { categorySchema } from './choice-schemas.ts';
import { couponFiltersSchema } from './coupons.ts';
import { CHECKED_CHOICES, EXPIRY_CHOICES } from './sorts.ts';

/** What somebody would give for a coupon they look for. */
export const GIVES = ['any', 'some', 'nothing'] as const;
export type Gives = (typeof GIVES)[number];

const DAYS = EXPIRY_CHOICES.filter((days) => days !== null);
const CHECKED_DAYS = CHECKED_CHOICES.filter((days) => days !== null);

const wantFilterSchema = couponFiltersSchema.extend({
  category: categorySchema.optional(),
  expiryDays: z.literal(DAYS).optional().describe('Only coupons that expire within so many days'),
  checkedDays: z
    .literal(CHECKED_DAYS)
    .optional()
    .describe('Only coupons whose code the merchant’s own programme has confirmed in so many days'),
  region: givenCountrySchema()
    .optional()
    .describe(
      'Only coupons that are valid in this country: a code of ISO 3166-1 alpha-2, or its English name',
    ),
});

const givesSchema = z.object({
  gives: z
    .enum(GIVES)
    .default('nothing')
    .describe('What the caller would give: any coupon of theirs, some, or nothing'),
  giftIds: z
    .array(idSchema)
    .max(WANT_GIFTS_MAX)
    .default([])
    .describe('Coupons of the caller’s own that they would give; with "some" only'),
});

type Given = z.output<typeof wantFilterSchema> & z.output<typeof givesSchema>;

/** What a want must be: not too wide, without contradictions. */
function check(want: Given, issues: z.RefinementCtx): void {
  const say = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message });
  if (!want.search && !want.merchant && !want.category) {
    say('search', t`Say what you are looking for: a word, a merchant or a category`);
  }
  if (want.minValue !== undefined && want.maxValue !== undefined && want.minValue > want.maxValue) {
    say('minValue', t`Above the max value`);
  }
  if ((want.gives === 'some') !== want.giftIds.length > 0) {
    say(
      'giftIds',
      want.gives === 'some' ? t`Choose at least one coupon that you would give` : t`Only with "some"`,
    );
  }
}

/** A new want. What is missing or blank is not asked for. */
export const createWantInputSchema = wantFilterSchema.extend(givesSchema.shape).superRefine(check);
export type WantFields = z.output<typeof createWantInputSchema>;

/** Replaces all that a want asks for and gives. */
export const updateWantInputSchema = wantFilterSchema
  .extend({ ...givesSchema.shape, id: idSchema })
  .superRefine(check);
export type UpdateWantInput = z.output<typeof updateWantInputSchema>;

export const pauseWantInputSchema = z.object({ id: idSchema, isPaused: z.boolean() });
export type PauseWantInput = z.output<typeof pauseWantInputSchema>;

/** How many finds are counted and shown. */
export const FINDS_MAX = 50;

/** What the caller looks for. Null: any. */
export const wantSchema = z.object({
  id: idSchema,
  search: z.string().nullable(),
  merchant: z.string().nullable(),
  category: categorySchema.nullable(),
  minValue: z.int().nullable(),
  maxValue: z.int().nullable(),
  expiryDays: z.literal(DAYS).nullable(),
  checkedDays: z.literal(CHECKED_DAYS).nullable(),
  hasAskingPrice: z.literal(true).nullable(),
  region: countrySchema.nullable(),
  gives: z.enum(GIVES),
  /** Of `some`: those that the caller still has. */
  giftIds: z.array(idSchema),
  isPaused: z.boolean(),
  /** Coupons listed since that are still available, up to FINDS_MAX; and how many of them are new since the last look. */
  found: z.int(),
  fresh: z.int(),
  lookedAt: instantSchema,
  createdAt: instantSchema,
});
wantSchema.register(z.globalRegistry, { id: 'Want' });
export type Want = z.output<typeof wantSchema>;
