import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { idSchema, pagingSchema } from '#contract/base/primitives.ts';
import { LEADERBOARD_CATEGORIES } from './leaderboard-categories.ts';

const leaderboardCategorySchema = z.enum(LEADERBOARD_CATEGORIES).meta({ id: 'LeaderboardCategory' });

/** Points (decisions 5.6). How It Works and the leaderboard show these numbers. */
export const POINTS = {
  verifiedCoupon: 10,
  /** A swap or a ring. */
  completedExchange: 20,
  completedSale: 15,
  /** The Bayesian mean of the ratings: as if `ratingWeight` people had already given `ratingPrior`. */
  ratingPrior: 7,
  ratingWeight: 5,
  perRatingPoint: 10,
} as const;

/** With whom deals and ratings count (decisions 5.6). How It Works, the leaderboard and the profile say it. */
export const countedPeople = () =>
  t`Each person you deal with counts once, by your first deal and by their latest rating. Accounts that share a browser or an internet address, as in one household, earn nothing from each other.`;

/** A person's points. Ratings have one decimal, so the sum has one, too. */
export const scoresSchema = z.object({
  overall: z.number(),
  coupons: z.number(),
  exchanges: z.number(),
  bids: z.number(),
  ratings: z.number(),
});
scoresSchema.register(z.globalRegistry, { id: 'Scores' });
export type Scores = z.output<typeof scoresSchema>;

export const leaderboardEntrySchema = z.object({
  id: idSchema,
  rank: z.int(),
  userId: idSchema,
  username: z.string(),
  profileImageUrl: z.string().nullable(),
  score: z.number(),
  stats: z.object({
    verifiedCoupons: z.int(),
    successfulExchanges: z.int(),
    acceptedBids: z.int(),
    /** Of the visible ratings that count, one of each person; null when there are none. */
    averageRating: z.number().nullable(),
  }),
});
leaderboardEntrySchema.register(z.globalRegistry, { id: 'LeaderboardEntry' });
export type LeaderboardEntry = z.output<typeof leaderboardEntrySchema>;

const categoryInput = { category: leaderboardCategorySchema.default('overall') };
export const listLeaderboardInputSchema = pagingSchema.extend(categoryInput);
export type ListLeaderboardInput = z.output<typeof listLeaderboardInputSchema>;
export const ownEntryInputSchema = z.object(categoryInput);
export type OwnEntryInput = z.output<typeof ownEntryInputSchema>;
