import { keepPreviousData } from '@tanstack/react-query';
import { leaderboardInput } from '#contract/first-answers.ts';
import type { LeaderboardCategory } from '#contract/leaderboard-categories.ts';
import type { PageRef } from '#contract/primitives.ts';
import { trpc } from '#web/lib/trpc.ts';

/** A page of the board, by rank. */
export function useLeaderboard(category: LeaderboardCategory, page: PageRef) {
  return trpc.leaderboard.list.useQuery(leaderboardInput(category, page), {
    placeholderData: keepPreviousData,
  });
}

/** The viewer's own row; null where they are not on the board. */
export function useOwnEntry(category: LeaderboardCategory, isMember: boolean) {
  return trpc.leaderboard.mine.useQuery({ category }, { enabled: isMember });
}
