import { type BidSide, COUNTER_HOURS, DEADLINE_DAYS, type DealStatus, turnOf } from '#contract/deals.ts';
import { UNPAID_AT_ASKING_PRICE } from '#contract/limits.ts';
import { BASE_CURRENCY, type Cents, decimalToCents, formatMoney } from '#contract/money.ts';
import type { LogAction } from '#contract/notifications.ts';
import { quote } from '#contract/words.ts';

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
export type BidAct =
  | 'place'
  | 'placeBelowFloor'
  | 'counter'
  | 'accept'
  | 'acceptCounter'
  | 'declineCounter'
  | 'acceptAtOnce'
  | 'reject'
  | 'withdraw'
  | 'complete';

interface ActTexts {
  readonly action: LogAction;
  readonly bidder: string;
  readonly owner: string;
  readonly mailSubject: string;
  /** Whether nobody is notified. */
  readonly isQuiet?: boolean;
  /** Whether no person did it now: a price that the owner had set did. */
  readonly isAutomatic?: boolean;
}

export interface DealFacts {
  readonly bidderUsername: string;
  readonly ownerUsername: string;
  readonly couponTitle: string;
  readonly amount: Cents;
  /** The rounds after the first. */
  readonly counters?: readonly { readonly round: number; readonly from: string; readonly to: string }[];
}

/** One sentence for each party's history. The party who did not act also gets theirs as a notification. */
export function actTexts(act: BidAct, bid: DealFacts): ActTexts {
  const { bidderUsername: bidder, ownerUsername: owner } = bid;
  const [amount, coupon] = [formatMoney(bid.amount, BASE_CURRENCY), quote(bid.couponTitle)];
  switch (act) {
    case 'place':
      return {
        action: 'created',
        bidder: `You bid ${amount} on ${coupon} of ${owner}.`,
        owner: `${bidder} bids ${amount} on your ${coupon}.`,
        mailSubject: 'Somebody bids on your coupon',
      };
    case 'placeBelowFloor':
      return {
        ...actTexts('place', bid),
        owner: `${bidder} bids ${amount} on your ${coupon}, below your lowest price.`,
        isQuiet: true,
      };
    case 'accept':
      return {
        action: 'accepted',
        bidder: `${owner} accepted your bid of ${amount} on ${coupon}. Please pay within ${DEADLINE_DAYS.bidAccepted * 24} hours.`,
        owner: `You accepted ${bidder}’s bid of ${amount} on your ${coupon}.`,
        mailSubject: 'Your bid was accepted',
      };
    case 'counter':
      return counterTexts(bid);
    case 'acceptCounter':
      return {
        action: 'accepted',
        bidder: `You accepted ${owner}’s counter-offer of ${amount} on ${coupon}. Please pay within ${DEADLINE_DAYS.bidAccepted * 24} hours.`,
        owner: `${bidder} accepted your counter-offer of ${amount} on your ${coupon}.`,
        mailSubject: 'Your counter-offer was accepted',
      };
    case 'declineCounter':
      return {
        action: 'cancelled',
        bidder: `You declined ${owner}’s counter-offer on ${coupon}. Your bid has ended.`,
        owner: `${bidder} declined your counter-offer on your ${coupon}. Their bid has ended.`,
        mailSubject: 'Your counter-offer was declined',
      };
    case 'acceptAtOnce':
      return {
        action: 'accepted',
        bidder: `Your bid of ${amount} on ${coupon} was accepted at once: ${owner} has set a price at which bids are accepted. Please pay within ${DEADLINE_DAYS.bidAccepted * 24} hours.`,
        owner: `${bidder}’s bid of ${amount} on your ${coupon} was accepted at once, by the asking price that you have set.`,
        mailSubject: 'A bid was accepted at the asking price',
        isAutomatic: true,
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
        isQuiet: true,
        action: 'completed',
        bidder: `You bought ${coupon} of ${owner} for your bid of ${amount}: it is yours now.`,
        owner: `You sold your ${coupon} to ${bidder} for their bid of ${amount}: it is theirs now.`,
        mailSubject: 'Your sale went through',
      };
  }
}

/** What is wrong with the amount of a counter-offer; null if nothing is. */
export function counterProblem(
  side: BidSide,
  cents: Cents,
  {
    amount,
    counterAmount,
    askingPrice,
  }: {
    readonly amount: string;
    readonly counterAmount: string | null;
    readonly askingPrice: string | null;
  },
): string | null {
  if (side === 'bidder') {
    if (counterAmount === null || cents < decimalToCents(counterAmount)) return null;
    return `Must be less than ${dollars(counterAmount)}: you can accept that`;
  }
  if (cents <= decimalToCents(amount)) return `Must be more than ${dollars(amount)}: you can accept that`;
  if (askingPrice === null || cents <= decimalToCents(askingPrice)) return null;
  return `Must not be more than your asking price, ${dollars(askingPrice)}`;
}

/** Each side's text names the difference. */
function counterTexts({ bidderUsername, ownerUsername, couponTitle, counters = [] }: DealFacts): ActTexts {
  const last = counters.at(-1);
  if (!last) throw new Error('There is no counter-offer to tell of');
  const isByOwner = turnOf(last.round - 1) === 'owner';
  const difference = `${dollars(last.from)} → ${dollars(last.to)}`;
  const coupon = quote(couponTitle);
  const answer = `Please answer within ${COUNTER_HOURS} hours.`;
  return {
    action: 'updated',
    bidder: isByOwner
      ? `${ownerUsername} answers your bid on ${coupon} with a counter-offer: ${difference}. ${answer}`
      : `You answered ${ownerUsername}’s counter-offer on ${coupon}: ${difference}.`,
    owner: isByOwner
      ? `You answered ${bidderUsername}’s bid on your ${coupon} with a counter-offer: ${difference}.`
      : `${bidderUsername} answers your counter-offer on your ${coupon}: ${difference}. ${answer}`,
    mailSubject: 'A counter-offer waits for your answer',
  };
}

function dollars(amount: string): string {
  return formatMoney(decimalToCents(amount), BASE_CURRENCY);
}

/** A person's earlier bids, as far as they decide whether the asking price accepts the next one. */
export interface PastBids {
  /** Accepted bids that are not paid yet. */
  readonly unpaid: number;
  /** Whether they once let a bid on this coupon lapse that was accepted. */
  readonly hasLapsed: boolean;
}

/**
 * Whether the asking price of a coupon accepts a bid at once. One of that price waits for the owner if the seller cannot be
 * paid, or if the bidder holds back coupons without paying.
 */
export function isAcceptedAtOnce(
  bid: { readonly amount: string; readonly isSellerReady: boolean },
  askingPrice: string,
  { unpaid, hasLapsed }: PastBids,
): boolean {
  const isEnough = decimalToCents(bid.amount) >= decimalToCents(askingPrice);
  return isEnough && bid.isSellerReady && unpaid < UNPAID_AT_ASKING_PRICE && !hasLapsed;
}
