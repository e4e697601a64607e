/** What the leaderboard can count. */
export const LEADERBOARD_CATEGORIES = ['overall', 'coupons', 'exchanges', 'bids', 'ratings'] as const;
export type LeaderboardCategory = (typeof LEADERBOARD_CATEGORIES)[number];
