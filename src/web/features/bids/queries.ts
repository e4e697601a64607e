import { keepPreviousData } from '@tanstack/react-query';
import { defineAddress, keyed, oneOf, openedId } from '#contract/address.ts';
import type { Bid } from '#contract/bids.ts';
import type { PageRef } from '#contract/primitives.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Bids on one page of a list. */
export const PAGE_SIZE = 20;

/** One page of the viewer's bids on one side, always refetched (spec/2 section 9). */
export function useBids(list: { role: 'bidder' | 'owner'; onlyOpen: boolean; page: PageRef }) {
  return trpc.bids.list.useQuery(
    { ...list, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
}

/** One bid, refetched whenever it is opened. */
export function useBid(id: number | null, known?: Bid) {
  return trpc.bids.byId.useQuery(
    { id: id ?? 0 },
    { enabled: id !== null, placeholderData: known, staleTime: 0, retry: false },
  );
}

/** Whose bids are shown: the viewer's own, or those on the viewer's coupons. */
export type BidsTab = 'placed' | 'received';

/** The list's tab and filter, and the open bid. The page number is kept apart. */
export const BIDS_ADDRESS = defineAddress({
  tab: oneOf<BidsTab>(['placed', 'received']),
  show: oneOf(['all', 'open']),
  openId: keyed('bid', openedId),
});
