import type { Bid } from '#contract/deals/bids.ts';
import { trpc } from '#web/lib/trpc.ts';

/** One bid, refetched whenever it is opened; before that as one of `known`. Without a number nothing is asked for. */
export function useBid(id: number | 'unknown' | null, known: readonly Bid[] = []) {
  const isKnown = typeof id === 'number';
  return trpc.bids.byId.useQuery(
    { id: isKnown ? id : 0 },
    { enabled: isKnown, placeholderData: known.find((bid) => bid.id === id), refetchOnMount: 'always' },
  );
}
