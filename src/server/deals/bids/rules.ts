import { t } from '@lingui/core/macro';
import { UNPAID_AT_ASKING_PRICE } from '#contract/base/limits.ts';
import { baseCurrency, type Cents, decimalToCents, formatMoney } from '#contract/base/money.ts';
import type { BidSide, DealStatus } from '#contract/deals/deals.ts';
import type { LogAction } from '#contract/people/notifications.ts';
import type { WebhookEvent } from '#contract/people/webhooks.ts';
import type { BID_TEXTS } from '#server/texts/bids.ts';

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
  if (to === 'cancelled') return t`Only the bidder can cancel this bid. You can decline it.`;
  return to === 'accepted'
    ? t`Only the owner of the coupon can accept this bid.`
    : t`Only the owner of the coupon can reject this bid.`;
}

/** The refusal for a bidder who cancels an accepted bid (decisions 3.4). */
export const bindingText = () =>
  t`This bid is already accepted. Bids are binding: an accepted bid cannot be cancelled.`;

/** What can happen to a bid. */
export type BidTransition = 'counter' | keyof typeof BID_TEXTS;

interface TransitionRule {
  readonly action: LogAction;
  readonly event: WebhookEvent;
  /** The state that it leads to. */
  readonly status: DealStatus;
  /** Whether nobody is notified. */
  readonly isQuiet?: boolean;
  /** Whether no person did it now: a price that the owner had set did. */
  readonly isAutomatic?: boolean;
}

const PLACED = { event: 'bid.placed', status: 'pending' } as const;
const ACCEPTED = { event: 'bid.accepted', status: 'accepted' } as const;
const CANCELLED = { event: 'bid.cancelled', status: 'cancelled' } as const;

/** How each transition is recorded, and what programs are told of it. */
export const TRANSITIONS: Record<BidTransition, TransitionRule> = {
  place: { action: 'created', ...PLACED },
  placeBelowFloor: { action: 'created', ...PLACED, isQuiet: true },
  counter: { action: 'updated', event: 'bid.countered', status: 'pending' },
  accept: { action: 'accepted', ...ACCEPTED },
  acceptCounter: { action: 'accepted', ...ACCEPTED },
  declineCounter: { action: 'cancelled', ...CANCELLED },
  acceptAtOnce: { action: 'accepted', ...ACCEPTED, isAutomatic: true },
  acceptToBegin: { action: 'accepted', ...ACCEPTED, isAutomatic: true },
  reject: { action: 'rejected', event: 'bid.rejected', status: 'rejected' },
  withdraw: { action: 'cancelled', ...CANCELLED },
  complete: { action: 'completed', event: 'bid.completed', status: 'completed', isQuiet: true },
};

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
    return t`Must be less than ${moneyOf(counterAmount)}, which you can accept`;
  }
  if (cents <= decimalToCents(amount)) return t`Must be more than ${moneyOf(amount)}, which you can accept`;
  if (askingPrice === null || cents <= decimalToCents(askingPrice)) return null;
  return t`Must not be more than your asking price, ${moneyOf(askingPrice)}`;
}

function moneyOf(amount: string): string {
  return formatMoney(decimalToCents(amount), baseCurrency());
}

/** A person's earlier bids, as far as they decide whether the asking price accepts the next one. */
export interface PastBids {
  /** Whether too few deals of theirs have gone well so far. */
  readonly isNewcomer: boolean;
  /** Accepted bids that are not paid yet. */
  readonly unpaid: number;
  /** Whether they once let a bid lapse that was accepted: on this coupon, on any. */
  readonly hasLapsedHere: boolean;
  readonly hasLapsed: boolean;
}

/**
 * What the asking price of a coupon does with a bid at once (decisions 3.13): `accept` it, for a new member only until they
 * have to `begin` to pay, or let it `wait` for the owner. One of that price waits if the seller cannot be paid, or if the
 * bidder holds back coupons without paying: of a new member, one that was not paid is enough.
 */
export function answerOfAskingPrice(
  bid: { readonly amount: string; readonly isSellerReady: boolean },
  askingPrice: string,
  { isNewcomer, unpaid, hasLapsedHere, hasLapsed }: PastBids,
): 'accept' | 'begin' | 'wait' {
  const isEnough = decimalToCents(bid.amount) >= decimalToCents(askingPrice);
  const isTrusted = unpaid < UNPAID_AT_ASKING_PRICE && !(isNewcomer ? hasLapsed : hasLapsedHere);
  if (!isEnough || !bid.isSellerReady || !isTrusted) return 'wait';
  return isNewcomer ? 'begin' : 'accept';
}

/** The coupon of a paid bid, as far as it decides whether it can go back. */
export interface Holding {
  /** Whether the bid gave it to its buyer last, and it is not deleted. */
  readonly isBuyers: boolean;
  readonly isUsed: boolean;
  /** Whether another deal has reserved it. */
  readonly isPromised: boolean;
}

export type ReturnObstacle = 'gone' | 'promised';

/** What keeps a coupon from going back for its money: its buyer has used it or passed it on, or another deal holds it. */
export function returnObstacle({ isBuyers, isUsed, isPromised }: Holding): ReturnObstacle | null {
  if (!isBuyers || isUsed) return 'gone';
  return isPromised ? 'promised' : null;
}
