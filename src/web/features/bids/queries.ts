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

/** Bids on somebody else's coupon. */
export function usePlaceBid() {
  return trpc.bids.place.useMutation();
}

/** Bids the asking price. */
export function useBuy() {
  return trpc.bids.buy.useMutation();
}

/** Answers with another amount. */
export function useCounter() {
  const utils = trpc.useUtils();
  return trpc.bids.counter.useMutation({
    onSuccess: (bid) => {
      utils.bids.byId.setData({ id: bid.id }, bid);
    },
  });
}

/** Accepts, rejects or cancels. */
export function useSetBidStatus() {
  const utils = trpc.useUtils();
  return trpc.bids.setStatus.useMutation({
    onSuccess: (bid) => {
      utils.bids.byId.setData({ id: bid.id }, bid);
    },
  });
}

/** Whose bids are shown: the viewer's own, or those on the viewer's coupons. */
export type BidsTab = 'placed' | 'received';

/** The list's tab and filter, and the open bid. The page number is kept apart. */
export const BIDS_ADDRESS = defineAddress({
  tab: oneOf<BidsTab>(['placed', 'received']),
  show: oneOf(['all', 'open']),
  openId: keyed('bid', openedId),
});
