import type { Bid } from '#contract/bids.ts';
import { allowedMoves, BID_TRANSITIONS, type BidSide } from '#contract/deals.ts';
import type { PaymentStatus } from '#contract/payments.ts';

/** What can be done to a bid by hand, as the state that it leads to. */
export type BidAct = 'accepted' | 'rejected' | 'cancelled';

/** In the order in which they are shown: what moves the deal on stands first. */
const ACTS: readonly BidAct[] = ['accepted', 'rejected', 'cancelled'];

/** On which side the viewer stands. Parties are known by id only. */
export function sideOf(bid: Pick<Bid, 'bidderId'>, viewerId: number): BidSide {
  return bid.bidderId === viewerId ? 'bidder' : 'owner';
}

/** The acts one side may do now, read off the contract's table. */
export function actsFor(bid: Pick<Bid, 'status'>, side: BidSide): BidAct[] {
  const moves = allowedMoves(BID_TRANSITIONS, bid.status, side);
  return ACTS.filter((act) => moves.includes(act));
}

const TAKEN_BACK: readonly PaymentStatus[] = ['refunding', 'refunded', 'charged_back'];

/** Whether the money of a sale has gone back to the buyer, or is on its way there. */
export function isTakenBack({ protection }: Pick<Bid, 'protection'>): boolean {
  return protection !== null && TAKEN_BACK.includes(protection.status);
}

/** What the bidder can do about paying. */
export type PayState = 'payable' | 'seller_not_ready' | 'under_way' | 'paid' | null;

/** How far the bidder has come with paying; null where there is nothing to pay (any more). */
export function payState(bid: Pick<Bid, 'status' | 'isSellerReady' | 'protection'>): PayState {
  if (bid.status === 'completed') return isTakenBack(bid) ? null : 'paid';
  if (bid.status !== 'accepted') return null;
  if (bid.protection?.status === 'processing') return 'under_way';
  return bid.isSellerReady ? 'payable' : 'seller_not_ready';
}
