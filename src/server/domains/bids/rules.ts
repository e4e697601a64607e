import { type BidSide, DEADLINE_DAYS, type DealStatus } from '#contract/deals.ts';
import { BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';
import type { LogAction } from '#contract/notifications.ts';

interface Parties {
  readonly bidderId: number;
  readonly ownerId: number;
}

/** On which side somebody stands; null for a stranger. */
export function sideOf(bid: Parties, userId: number): BidSide | null {
  if (userId === bid.bidderId) return 'bidder';
  return userId === bid.ownerId ? 'owner' : null;
}

/** What the wrong side is told. */
export function forbiddenText(to: DealStatus): string {
  if (to === 'cancelled') return 'Only the person who bids can cancel this bid. You can reject it.';
  return `Only the owner of the coupon can ${to === 'accepted' ? 'accept' : 'reject'} this bid.`;
}

/** What a bidder is told who wants out of a bid that was accepted (decisions 3.4). */
export const BINDING_TEXT =
  'This bid is already accepted. Bids are binding: an accepted bid cannot be cancelled.';

/** When a bid lapses unless somebody acts (decisions 3.6), in days after a date of its own; null once it has ended. */
export function deadlineFrom(bid: {
  readonly status: DealStatus;
  readonly createdAt: Date;
  readonly acceptedAt: Date | null;
}): { readonly since: Date; readonly days: number } | null {
  if (bid.status === 'pending') return { since: bid.createdAt, days: DEADLINE_DAYS.bidPending };
  if (bid.status !== 'accepted' || !bid.acceptedAt) return null;
  return { since: bid.acceptedAt, days: DEADLINE_DAYS.bidAccepted };
}

/** What a person, or the payment, can do to a bid, as the history and the notifications tell it. */
export type BidAct = 'place' | 'accept' | 'reject' | 'withdraw' | 'complete';

interface Story {
  readonly action: LogAction;
  readonly bidder: string;
  readonly owner: string;
  readonly mailSubject: string;
}

interface Told {
  readonly bidderUsername: string;
  readonly ownerUsername: string;
  readonly couponTitle: string;
  readonly amount: Cents;
}

/** The sentences about an act, one for the history of each party; whoever did not act is notified in these words. */
export function storyOf(act: BidAct, bid: Told): Story {
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
