import { z } from 'zod';
import { textSchema } from '#contract/base/primitives.ts';
import { codeFeedbackSchema } from './code-feedback.ts';
import { MERCHANT_MAX } from './limits.ts';

export const merchantInputSchema = z.object({
  name: textSchema(MERCHANT_MAX, 1).describe('In any spelling that a search takes for the same'),
});
export type MerchantInput = z.output<typeof merchantInputSchema>;

/** People who look for a merchant are counted up to this number. */
export const WISHES_MAX = 100;

/** What everybody may know of a merchant. Its coupons are a list of their own. */
export const merchantSchema = z.object({
  name: z.string(),
  key: z.string().describe('The name in the one spelling that addresses have'),
  publicCodes: z.int().describe('How many public codes Discover has'),
  wishes: z.int().max(WISHES_MAX).describe('How many people look for its coupons'),
  feedback: codeFeedbackSchema.omit({ own: true }).describe('Of all its public codes'),
});
merchantSchema.register(z.globalRegistry, { id: 'Merchant' });
export type Merchant = z.output<typeof merchantSchema>;
