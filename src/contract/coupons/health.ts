import { z } from 'zod';
import { instantSchema, textSchema } from '#contract/base/primitives.ts';
import { MERCHANT_MAX } from './limits.ts';

/** A figure from 0 to 100: how sure we are that a code works. */
const healthSchema = z
  .int()
  .min(0)
  .max(100)
  .nullable()
  .describe('How likely the code is to work, of 100; null: too little is known of it');

/** The figure that lists sort by. */
export const listedHealthSchema = healthSchema.describe(
  'How likely the code is to work, of 100, in steps of five as lists sort by it; null: too little is known of it',
);

export const checkedAtSchema = instantSchema
  .nullable()
  .describe('When the merchant’s own programme last answered about the code; null: never');

const daysSchema = z.int().describe('Days ago');

/** Why a code has its figure. */
const healthReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirmed').describe('By the merchant’s own programme'), days: daysSchema }),
  z.object({ kind: z.literal('refused').describe('By the merchant’s own programme'), days: daysSchema }),
  z.object({ kind: z.literal('reissued').describe('The code was made for its owner'), days: daysSchema }),
  z.object({ kind: z.literal('worked').describe('For earlier owners'), people: z.int() }),
  z.object({ kind: z.literal('failed').describe('For earlier owners'), people: z.int() }),
  z.object({ kind: z.literal('claimsLost').describe('About codes of its owner'), claims: z.int() }),
  z.object({ kind: z.literal('deals').describe('Whom its owner has dealt with'), people: z.int() }),
  z.object({ kind: z.literal('old').describe('Listed for long without a word'), days: daysSchema }),
]);
export type HealthReason = z.output<typeof healthReasonSchema>;

/** How likely the code of a coupon is to work, and why: the reason that weighs most comes first. */
export const couponHealthSchema = z.object({
  health: healthSchema,
  checkedAt: checkedAtSchema,
  reasons: z.array(healthReasonSchema),
});
couponHealthSchema.register(z.globalRegistry, { id: 'CouponHealth' });
export type CouponHealth = z.output<typeof couponHealthSchema>;

export const merchantHealthInputSchema = z.object({
  name: textSchema(MERCHANT_MAX, 1).describe('In any spelling that a search takes for the same'),
});

/** Days of which a merchant's figure speaks. */
export const MERCHANT_HEALTH_DAYS = 90;

/** How likely codes of a merchant are to work, as of the last night. */
export const merchantHealthSchema = z.object({
  health: healthSchema,
  checked: z
    .int()
    .describe(`Codes that its own programme answered about in the last ${MERCHANT_HEALTH_DAYS} days`),
  valid: z.int().describe('How many of them it called valid at last'),
  worked: z.int().describe('People for whom its codes mostly worked'),
  failed: z.int().describe('People for whom they mostly did not'),
});
merchantHealthSchema.register(z.globalRegistry, { id: 'MerchantHealth' });
export type MerchantHealth = z.output<typeof merchantHealthSchema>;
