import { keepPreviousData } from '@tanstack/react-query';
import { ratingsInput } from '#contract/first-answers.ts';
import type { PageRef } from '#contract/primitives.ts';
import type { DealRatingsInput } from '#contract/ratings.ts';
import { trpc } from '#web/lib/trpc.ts';

/** A page of the visible ratings of a person, newest first. */
export function useRatingsOf(userId: number, { page = 1, limit }: { page?: PageRef; limit?: number } = {}) {
  return trpc.ratings.ofUser.useQuery(ratingsInput(userId, page, limit), {
    placeholderData: keepPreviousData,
  });
}

/** The ratings of a deal, and whether the viewer can rate it. */
export function useDealRatings(deal: DealRatingsInput) {
  return trpc.ratings.ofDeal.useQuery(deal, { staleTime: 0 });
}

/** Rates the other side of a deal. */
export function useRate() {
  return trpc.ratings.create.useMutation();
}
