/** How many rows a page of each list shows. */
export const PAGE_SIZES = {
  admin: 20,
  claims: 10,
  coupons: 6,
  leaderboard: 20,
  merchants: 20,
  notifications: 20,
  ratings: 10,
  reports: 10,
  roots: 10,
} as const;
