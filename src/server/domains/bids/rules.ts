import { type BidSide, DEADLINE_DAYS, type DealStatus } from '#contract/deals.ts';
import { BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';
import type { LogAction } from '#contract/notifications.ts';

interface Parties {
  readonly bidderId: number;
  readonly ownerId: number;
}

export function sideOf(bid: Parties, userId: number): BidSide | null {
  if (userId === bid.bidderId) return 'bidder';
  return userId === bid.ownerId ? 'owner' : null;
}

/** The refusal for a caller on the wrong side of the deal. */
export function forbiddenText(to: DealStatus): string {
  if (to === 'cancelled') return 'Only the person who bids can cancel this bid. You can reject it.';
  return `Only the owner of the coupon can ${to === 'accepted' ? 'accept' : 'reject'} this bid.`;
}

/** The refusal for a bidder who cancels an accepted bid (decisions 3.4). */
export const BINDING_TEXT =
  'This bid is already accepted. Bids are binding: an accepted bid cannot be cancelled.';

/** What can happen to a bid. */
export type BidAct = 'place' | 'accept' | 'reject' | 'withdraw' | 'complete';

interface ActTexts {
  readonly action: LogAction;
  readonly bidder: string;
  readonly owner: string;
  readonly mailSubject: string;
}

interface DealFacts {
  readonly bidderUsername: string;
  readonly ownerUsername: string;
  readonly couponTitle: string;
  readonly amount: Cents;
}

/** One sentence for each party's history. The party who did not act also gets theirs as a notification. */
export function actTexts(act: BidAct, bid: DealFacts): ActTexts {
  const { bidderUsername: bidder, ownerUsername: owner } = bid;
  const [amount, coupon] = [formatMoney(bid.amount, BASE_CURRENCY), `“${bid.couponTitle}”`];
  switch (act) {
    case 'place':
      return {
        action: 'created',
        bidder: `You bid ${amount} on ${coupon} of ${owner}.`,
        owner: `${bidder} bids ${amount} on your ${coupon}.`,
        mailSubject: 'Somebody bids on your coupon',
      };
    case 'accept':
      return {
        action: 'accepted',
        bidder: `${owner} accepted your bid of ${amount} on ${coupon}. Please pay within ${DEADLINE_DAYS.bidAccepted * 24} hours.`,
        owner: `You accepted ${bidder}’s bid of ${amount} on your ${coupon}.`,
        mailSubject: 'Your bid was accepted',
      };
    case 'reject':
      return {
        action: 'rejected',
        bidder: `${owner} declined your bid of ${amount} on ${coupon}.`,
        owner: `You declined ${bidder}’s bid of ${amount} on your ${coupon}.`,
        mailSubject: 'Your bid was declined',
      };
    case 'withdraw':
      return {
        action: 'cancelled',
        bidder: `You withdrew your bid of ${amount} on ${coupon} of ${owner}.`,
        owner: `${bidder} withdrew their bid of ${amount} on your ${coupon}.`,
        mailSubject: 'A bid was withdrawn',
      };
    case 'complete':
      return {
        action: 'completed',
        bidder: `You bought ${coupon} of ${owner} for your bid of ${amount}: it is yours now.`,
        owner: `You sold your ${coupon} to ${bidder} for their bid of ${amount}: it is theirs now.`,
        mailSubject: 'Your sale went through',
      };
  }
}
