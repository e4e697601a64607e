import { z } from 'zod';
import { idSchema, instantSchema } from '#contract/base/primitives.ts';

/** Answers older than this are not counted. */
export const FEEDBACK_DAYS = 30;

/** What people said of a code: whether it worked for them. */
export const codeFeedbackSchema = z.object({
  worked: z.int().describe(`How many said in the last ${FEEDBACK_DAYS} days that it worked`),
  failed: z.int().describe('How many said that it did not'),
  lastWorkedAt: instantSchema.nullable(),
  own: z.boolean().nullable().describe('What the caller said; null: nothing yet'),
});
codeFeedbackSchema.register(z.globalRegistry, { id: 'CodeFeedback' });
export type CodeFeedback = z.output<typeof codeFeedbackSchema>;

/** What is known of a coupon's code, and whether the caller may say how it went. */
export const couponFeedbackSchema = codeFeedbackSchema.extend({
  mayGive: z.boolean(),
  confirmedAt: instantSchema
    .nullable()
    .describe('When the own programme of the merchant last said that the code is valid'),
});
couponFeedbackSchema.register(z.globalRegistry, { id: 'CouponFeedback' });
export type CouponFeedback = z.output<typeof couponFeedbackSchema>;

/** An answer; a later one replaces it. */
export const giveFeedbackInputSchema = z.object({ id: idSchema, worked: z.boolean() });
export type GiveFeedbackInput = z.output<typeof giveFeedbackInputSchema>;
