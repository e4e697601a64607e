import { z } from 'zod';
import { idSchema, instantSchema } from './primitives.ts';

/** Answers older than this are not counted. */
export const OUTCOME_DAYS = 30;

/** What people said of a code: whether it worked for them. */
export const outcomesSchema = z.object({
  worked: z.int().describe(`How many said in the last ${OUTCOME_DAYS} days that it worked`),
  failed: z.int().describe('How many said that it did not'),
  lastWorkedAt: instantSchema.nullable(),
  own: z.boolean().nullable().describe('What the caller said; null: nothing yet'),
});
export type Outcomes = z.output<typeof outcomesSchema>;

/** The outcomes of a coupon's code, and whether the caller may say how it went. */
export const couponOutcomesSchema = outcomesSchema.extend({ mayTell: z.boolean() });
export type CouponOutcomes = z.output<typeof couponOutcomesSchema>;

/** An answer; a later one replaces it. */
export const tellOutcomeInputSchema = z.object({ id: idSchema, worked: z.boolean() });
export type TellOutcomeInput = z.output<typeof tellOutcomeInputSchema>;
