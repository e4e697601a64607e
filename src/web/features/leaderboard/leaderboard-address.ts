import { LEADERBOARD_CATEGORIES, type LeaderboardCategory } from '#contract/leaderboard.ts';

/** Which tab the address names; what makes no sense is the first one. */
export function readCategory(params: URLSearchParams): LeaderboardCategory {
  return LEADERBOARD_CATEGORIES.find((category) => category === params.get('tab')) ?? 'overall';
}

/** The address of another tab, which begins at its first page. */
export function changeCategory(params: URLSearchParams, category: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('page');
  if (category === null || category === 'overall') next.delete('tab');
  else next.set('tab', category);
  return next;
}
