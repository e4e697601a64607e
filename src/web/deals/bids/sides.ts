import type { Bid } from '#contract/deals/bids.ts';
import { allowedMoves, BID_TRANSITIONS, type BidSide, ROUNDS_MAX, turnOf } from '#contract/deals/deals.ts';
import type { Standing } from '#contract/deals/standing.ts';
import type { PaymentStatus } from '#contract/money/payments.ts';

/** An act of a party, named by the status that it leads to. */
export type BidAct = 'accepted' | 'rejected' | 'cancelled';

/** In the order of the buttons: acts that move the deal on come first. */
const ACTS: readonly BidAct[] = ['accepted', 'rejected', 'cancelled'];

/** The viewer's side of the bid, by id. */
export function sideOf(bid: Pick<Bid, 'bidderId'>, viewerId: number): BidSide {
  return bid.bidderId === viewerId ? 'bidder' : 'owner';
}

/** What one side is told of the other. */
export function partnerOf(bid: Bid, side: BidSide): Standing & { username: string } {
  return side === 'bidder'
    ? { username: bid.ownerUsername, ...bid.ownerStanding }
    : { username: bid.bidderUsername, ...bid.bidderStanding };
}

/** The acts that the contract allows one side now: only the side whose turn it is can accept. */
export function actsFor(bid: Pick<Bid, 'status' | 'round'>, side: BidSide): BidAct[] {
  const moves = allowedMoves(BID_TRANSITIONS, bid.status, side);
  return ACTS.filter((act) => moves.includes(act) && (act !== 'accepted' || turnOf(bid.round) === side));
}

/** Whether this side can answer with another amount. */
export function mayCounter({ status, round }: Pick<Bid, 'status' | 'round'>, side: BidSide): boolean {
  return status === 'pending' && round < ROUNDS_MAX && turnOf(round) === side;
}

/** The amount of the round: what is accepted if it is accepted now. */
export function standingAmount({ status, counterAmount, amount }: Bid): string {
  return status === 'pending' && counterAmount !== null ? counterAmount : amount;
}

const TAKEN_BACK: readonly PaymentStatus[] = ['refunding', 'refunded', 'charged_back'];

/** Whether the money of a sale has gone back to the buyer, or is on its way there. */
export function isReversed({ protection }: Pick<Bid, 'protection'>): boolean {
  return protection !== null && TAKEN_BACK.includes(protection.status);
}

/** What the bidder can do about paying. */
export type PayState = 'payable' | 'under_way' | 'paid' | null;

/** The state of the payment for the bidder; null if there is nothing to pay. */
export function payState(bid: Pick<Bid, 'status' | 'protection'>): PayState {
  if (bid.status === 'completed') return isReversed(bid) ? null : 'paid';
  if (bid.status !== 'accepted') return null;
  return bid.protection?.status === 'processing' ? 'under_way' : 'payable';
}
