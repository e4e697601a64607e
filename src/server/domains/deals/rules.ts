import { PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import {
  COUNTER_HOURS,
  DEADLINE_DAYS,
  type DealReason,
  type DealRef,
  type ExchangeKind,
  RING_CONSENT_HOURS,
} from '#contract/deals.ts';
import { BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';
import { listed, quote, quoted } from '#contract/words.ts';

/** A deal, by the foreign key column that names it. */
export type DealKey = { readonly exchangeId: number } | { readonly bidId: number };

interface TradableCoupon {
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  readonly expiresAt: Date | null;
}

/**
 * Why a coupon cannot change hands at an instant; null when it can. A coupon is valid until the end of
 * its last day (decisions 2.3). Public codes are for personal use (decisions 2.6).
 */
export function tradeObstacle(coupon: TradableCoupon, at: Date): string | null {
  if (PERSONAL_CATEGORIES.some((category) => category === coupon.category)) {
    return 'Public codes are for personal use and can be neither swapped nor sold';
  }
  if (coupon.expiresAt !== null && coupon.expiresAt < at) return `${quote(coupon.title)} has expired`;
  if (coupon.deletedAt !== null || !coupon.isActive) return unavailableText(coupon.title);
  return null;
}

export function unavailableText(title: string): string {
  return `${quote(title)} is no longer available`;
}

/** Reasons for an ending that no party chose. */
export type RuleReason =
  | Exclude<DealReason, 'by_requester' | 'by_owner' | 'by_party' | 'countered'>
  | 'rival_accepted';

export interface EndedExchange {
  readonly kind: 'exchange';
  readonly id: number;
  readonly from: 'pending' | 'accepted';
  readonly dealKind: ExchangeKind;
  readonly round: number;
  /** The author first. */
  readonly parties: readonly { readonly id: number; readonly username: string }[];
  readonly legs: readonly {
    readonly couponId: number;
    readonly title: string;
    readonly giverId: number;
    readonly receiverId: number;
  }[];
  /** The title of the coupon that caused the ending; null when none did. */
  readonly causeTitle: string | null;
}

export interface EndedBid {
  readonly kind: 'bid';
  readonly id: number;
  readonly from: 'pending' | 'accepted';
  readonly bidderId: number;
  readonly ownerId: number;
  readonly bidderUsername: string;
  readonly ownerUsername: string;
  readonly amount: Cents;
  readonly round: number;
  readonly couponTitle: string;
}

export type EndedDeal = EndedExchange | EndedBid;

export function endingAction(reason: RuleReason): 'cancelled' | 'expired' | 'rejected' {
  if (reason === 'rival_accepted') return 'rejected';
  return reason === 'deadline' || reason === 'coupon_expired' ? 'expired' : 'cancelled';
}

/** What each party reads: which deal ended, and why. */
interface EndingTexts {
  readonly deal: DealRef;
  readonly mailSubject: string;
  readonly parties: readonly { readonly userId: number; readonly text: string }[];
}

/** @param closedId whose account was closed, where that is the reason: the other one must not think it is theirs */
export function endingTexts(deal: EndedDeal, reason: RuleReason, closedId?: number): EndingTexts {
  const because: Because = (userId, ...words) =>
    why(reason, userId === closedId ? 'your account' : otherAccount(deal, closedId), ...words);
  return deal.kind === 'exchange' ? exchangeEnding(deal, because) : bidEnding(deal, reason, because);
}

function otherAccount(deal: EndedDeal, closedId: number | undefined): string {
  const isRing = deal.kind === 'exchange' && deal.dealKind === 'ring';
  const closed = isRing && deal.parties.find(({ id }) => id === closedId);
  return closed ? `the account of ${closed.username}` : 'the other account';
}

/** Why a deal ended, as this person reads it. */
type Because = (userId: number, coupon: string, tooLate: string, whose?: string) => string;

function exchangeEnding(deal: EndedExchange, because: Because): EndingTexts {
  const isRing = deal.dealKind === 'ring';
  const time = deal.round > 1 ? `${COUNTER_HOURS} hours` : `${DEADLINE_DAYS.exchangePending} days`;
  const unanswered = isRing
    ? `not everybody agreed within ${RING_CONSENT_HOURS} hours`
    : `it was not answered within ${time}`;
  const words = [
    deal.causeTitle === null ? 'one of its coupons' : quote(deal.causeTitle),
    deal.from === 'pending'
      ? unanswered
      : `it was not completed within ${DEADLINE_DAYS.exchangeAccepted} days`,
  ] as const;
  const giverId = deal.legs.find(({ title }) => title === deal.causeTitle)?.giverId;
  const giver = deal.parties.find(({ id }) => id === giverId)?.username;
  const titlesOf = (side: 'giverId' | 'receiverId', userId: number) =>
    quoted(deal.legs.filter((leg) => leg[side] === userId).map(({ title }) => title));
  return {
    deal: { dealType: 'exchange', dealId: deal.id },
    mailSubject: 'Your exchange was cancelled',
    parties: deal.parties.map(({ id }) => {
      const others = listed(deal.parties.filter((party) => party.id !== id).map(({ username }) => username));
      return {
        userId: id,
        text: `Your ${isRing ? 'ring' : 'exchange'} with ${others} (your ${titlesOf('giverId', id)} for ${titlesOf('receiverId', id)}) was cancelled: ${because(id, ...words, id === giverId ? 'your ' : `${giver}’s `)}.`,
      };
    }),
  };
}

function bidEnding(deal: EndedBid, reason: RuleReason, because: Because): EndingTexts {
  const words = [
    'the coupon',
    deal.from === 'pending'
      ? `it was not answered within ${deal.round > 1 ? `${COUNTER_HOURS} hours` : `${DEADLINE_DAYS.bidPending} days`}`
      : `it was not paid within ${DEADLINE_DAYS.bidAccepted * 24} hours`,
  ] as const;
  const end = reason === 'rival_accepted' ? 'declined' : 'cancelled';
  const [amount, coupon] = [formatMoney(deal.amount, BASE_CURRENCY), quote(deal.couponTitle)];
  return {
    deal: { dealType: 'bid', dealId: deal.id },
    mailSubject: end === 'declined' ? 'Your bid was declined' : 'A bid was cancelled',
    parties: [
      {
        userId: deal.bidderId,
        text: `Your bid of ${amount} on ${coupon} of ${deal.ownerUsername} was ${end}: ${because(deal.bidderId, ...words)}.`,
      },
      {
        userId: deal.ownerId,
        text: `${deal.bidderUsername}’s bid of ${amount} on your ${coupon} was ${end}: ${because(deal.ownerId, ...words)}.`,
      },
    ],
  };
}

/**
 * @param account the closed one
 * @param tooLate the text for a missed deadline
 * @param whose whose coupon it is, where that is not said before
 */
function why(reason: RuleReason, account: string, coupon: string, tooLate: string, whose = ''): string {
  switch (reason) {
    case 'rival_accepted':
      return 'another bid was accepted';
    case 'rival_completed':
      return `${coupon} changed hands in another deal`;
    case 'coupon_deleted':
      return `${coupon} was taken away by its owner`;
    case 'coupon_changed':
      return `${coupon} was changed`;
    case 'coupon_expired':
      return `${coupon} has expired`;
    case 'party_banned':
      return `${account} was closed by the moderators`;
    case 'party_left':
      return `${account} was closed by its owner`;
    case 'code_refused':
      return `the merchant says that the code of ${whose}${coupon} does not work`;
    case 'deadline':
      return tooLate;
  }
}
