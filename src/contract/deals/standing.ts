import { z } from 'zod';
import { instantSchema } from '#contract/base/primitives.ts';

/** What somebody's partner in a deal is told of them before agreeing. */
export const standingSchema = z.object({
  memberSince: instantSchema,
  /** With how many people they have completed deals that count, as of the last refresh of the leaderboard. */
  dealPartners: z.int(),
  /** Codes given in exchanges that did not work, by upheld claims. */
  failedCodes: z.int(),
});
standingSchema.register(z.globalRegistry, { id: 'Standing' });
export type Standing = z.output<typeof standingSchema>;
