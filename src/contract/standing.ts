import { z } from 'zod';
import { instantSchema } from './primitives.ts';

/** What somebody's partner in a deal is told of them before agreeing. */
export const standingSchema = z.object({
  memberSince: instantSchema,
  /** Completed exchanges, purchases and sales. */
  completedDeals: z.int(),
  /** Codes given in exchanges that did not work, by upheld claims. */
  failedCodes: z.int(),
});
export type Standing = z.output<typeof standingSchema>;
