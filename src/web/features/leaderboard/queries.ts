import { keepPreviousData } from '@tanstack/react-query';
import type { LeaderboardCategory } from '#contract/leaderboard.ts';
import type { PageRef } from '#contract/primitives.ts';
import { trpc } from '#web/lib/trpc.ts';

/** People on a page. */
export const PAGE_SIZE = 20;

/** A page of the board, by rank. */
export function useLeaderboard(category: LeaderboardCategory, page: PageRef) {
  return trpc.leaderboard.list.useQuery(
    { category, page, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
}

/** The viewer's own row; null where they are not on the board. */
export function useOwnEntry(category: LeaderboardCategory, isMember: boolean) {
  return trpc.leaderboard.mine.useQuery({ category }, { enabled: isMember });
}
