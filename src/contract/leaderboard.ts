import { z } from 'zod';
import { idSchema, pagingSchema } from './primitives.ts';

export const LEADERBOARD_CATEGORIES = ['overall', 'coupons', 'exchanges', 'bids', 'ratings'] as const;
const leaderboardCategorySchema = z.enum(LEADERBOARD_CATEGORIES);
export type LeaderboardCategory = z.output<typeof leaderboardCategorySchema>;

/** Points (decisions 5.6). How It Works and the leaderboard explain themselves from these. */
export const POINTS = {
  verifiedCoupon: 10,
  completedExchange: 20,
  completedSale: 15,
  /** Deals with one and the same person count no more often than this. */
  dealsPerCounterpart: 3,
  /** The Bayesian mean of the ratings: as if `ratingWeight` people had given `ratingPrior` before. */
  ratingPrior: 7,
  ratingWeight: 5,
  perRatingPoint: 10,
} as const;

/** A person's points; ratings have one decimal, and so has the sum. */
export const scoresSchema = z.object({
  overall: z.number(),
  coupons: z.number(),
  exchanges: z.number(),
  bids: z.number(),
  ratings: z.number(),
});
export type Scores = z.output<typeof scoresSchema>;

export const leaderboardEntrySchema = z.object({
  id: idSchema,
  rank: z.int(),
  userId: idSchema,
  username: z.string(),
  /** Avatars are drawn from the name (decisions 6.3): there is no picture. */
  profileImageUrl: z.null(),
  score: z.number(),
  stats: z.object({
    verifiedCoupons: z.int(),
    successfulExchanges: z.int(),
    acceptedBids: z.int(),
    /** Of the ratings that can be seen; null without any. */
    averageRating: z.number().nullable(),
  }),
});
export type LeaderboardEntry = z.output<typeof leaderboardEntrySchema>;

const categoryInput = { category: leaderboardCategorySchema.default('overall') };
export const listLeaderboardInputSchema = pagingSchema.extend(categoryInput);
export type ListLeaderboardInput = z.output<typeof listLeaderboardInputSchema>;
export const ownEntryInputSchema = z.object(categoryInput);
export type OwnEntryInput = z.output<typeof ownEntryInputSchema>;
