import { z } from 'zod';
import { scoresSchema } from './leaderboard.ts';
import { idSchema, instantSchema } from './primitives.ts';

/** What the profile page counts (spec/3 section 3). */
export const userStatsSchema = z.object({
  /** The coupons that the person has now. */
  totalCoupons: z.int(),
  /** Completed ones, and so with the bids: bought and sold. */
  totalExchanges: z.int(),
  totalBids: z.int(),
  /** The overall points of the leaderboard's formulas (decisions 5.6), as they stand now. */
  reputation: z.number(),
  /**
   * What the coupons that came by swaps and purchases are worth, less the worth of those given for them
   * and what was paid, fee included; never below 0. A deal with a percentage coupon in it takes no part
   * (decisions 1.4), nor does a purchase whose money has gone back.
   */
  savingsGenerated: z.int().describe('Cents of a Canadian dollar'),
  scores: scoresSchema,
});
export type UserStats = z.output<typeof userStatsSchema>;

/** A person as anybody may see them. */
export const publicProfileSchema = z.object({
  id: idSchema,
  username: z.string(),
  bio: z.string().nullable(),
  country: z.string(),
  isFeatured: z.boolean(),
  createdAt: instantSchema,
  scores: scoresSchema,
  verifiedCoupons: z.int(),
  successfulExchanges: z.int(),
  acceptedBids: z.int(),
  /** Of the ratings that can be seen. */
  ratingCount: z.int(),
  averageRating: z.number().nullable(),
});
export type PublicProfile = z.output<typeof publicProfileSchema>;
