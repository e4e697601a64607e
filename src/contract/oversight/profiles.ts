import { z } from 'zod';
import { countrySchema, daySchema, idSchema, instantSchema } from '#contract/base/primitives.ts';
import { scoresSchema } from './leaderboard.ts';

/** The statistics of the profile page (spec/3 section 3). */
export const userStatsSchema = z.object({
  /** The coupons that the person owns now. */
  totalCoupons: z.int(),
  /** Completed exchanges; `totalBids` counts completed purchases and sales. */
  totalExchanges: z.int(),
  totalBids: z.int(),
  /** The current overall points by the leaderboard's formulas (decisions 5.6). */
  reputation: z.number(),
  /**
   * The value of the coupons received by swaps and purchases, minus the value of the coupons given for them and the
   * payments including fees; never below 0. Deals with a percentage coupon (decisions 1.4) and refunded purchases
   * do not count.
   */
  savingsGenerated: z.int().describe('In cents'),
  usedValue: z
    .int()
    .describe('Face value of the coupons used this year (UTC), without percentages, in cents'),
  scores: scoresSchema,
});
userStatsSchema.register(z.globalRegistry, { id: 'UserStats' });
export type UserStats = z.output<typeof userStatsSchema>;

/** A person as everybody may see them. */
export const publicProfileSchema = z.object({
  id: idSchema,
  username: z.string(),
  bio: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  country: countrySchema,
  isFeatured: z.boolean(),
  /** Whether the caller has blocked this person. */
  isBlocked: z.boolean(),
  createdAt: instantSchema,
  /** The day on which the person comes back; null if they are not away. */
  awayUntil: daySchema.nullable(),
  scores: scoresSchema,
  verifiedCoupons: z.int(),
  successfulExchanges: z.int(),
  /** Codes that the person gave in exchanges and that did not work, by upheld claims. */
  failedCodes: z.int(),
  acceptedBids: z.int(),
  /** Of the visible ratings that count, one of each person. */
  ratingCount: z.int(),
  averageRating: z.number().nullable(),
  answersWithinHours: z
    .int()
    .nullable()
    .describe(
      'Half of the bids and swaps of the last 90 days were answered within it; null: too few, or slower',
    ),
  lastSeenAt: instantSchema.nullable().describe('To the hour'),
});
publicProfileSchema.register(z.globalRegistry, { id: 'PublicProfile' });
export type PublicProfile = z.output<typeof publicProfileSchema>;

/** What a new member has done so far; `accounts.me` and `sellers.readiness` tell the rest of the first steps. */
export const firstStepsSchema = z.object({ hasCoupon: z.boolean(), hasWish: z.boolean() });
export type FirstSteps = z.output<typeof firstStepsSchema>;
