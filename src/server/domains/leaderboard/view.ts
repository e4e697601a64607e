import type { LeaderboardEntry, Scores } from '#contract/leaderboard.ts';
import type { ScoreRow } from './scores-store.ts';
import type { EntryRow } from './store.ts';

/** A place on the leaderboard, for anybody. */
export function toEntry(row: EntryRow): LeaderboardEntry {
  return {
    id: row.id,
    rank: row.rank,
    userId: row.userId,
    username: row.username,
    profileImageUrl: null,
    score: Number(row.score),
    stats: {
      verifiedCoupons: row.verifiedCoupons,
      successfulExchanges: row.successfulExchanges,
      acceptedBids: row.acceptedBids,
      averageRating: row.averageRating === null ? null : Number(row.averageRating),
    },
  };
}

/** What a person has done, and the points for it. */
export interface Reputation {
  readonly scores: Scores;
  readonly verifiedCoupons: number;
  readonly successfulExchanges: number;
  readonly acceptedBids: number;
  readonly ratingCount: number;
  readonly averageRating: number | null;
}

/** The same of one person, as it stands now, for anybody. */
export function toReputation(row: ScoreRow): Reputation {
  const { userId: _, overall, coupons, exchanges, bids, ratings, ...counts } = row;
  return { ...counts, scores: { overall, coupons, exchanges, bids, ratings } };
}
