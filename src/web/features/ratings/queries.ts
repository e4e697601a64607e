import { keepPreviousData } from '@tanstack/react-query';
import type { DealType } from '#contract/deals.ts';
import { trpc } from '#web/lib/trpc.ts';

/** How many ratings a page has. */
export const PAGE_SIZE = 10;

/** A page of the ratings that a person was given, and that can be seen; newest first. */
export function useRatingsOf(userId: number, { page = 1, limit = PAGE_SIZE } = {}) {
  return trpc.ratings.ofUser.useQuery({ id: userId, page, limit }, { placeholderData: keepPreviousData });
}

/** How a deal stands with its ratings. */
export function useDealRatings(deal: { dealType: DealType; dealId: number }) {
  return trpc.ratings.ofDeal.useQuery(deal, { staleTime: 0 });
}

/** Rates the other side of a deal. */
export function useRate() {
  return trpc.ratings.create.useMutation();
}
