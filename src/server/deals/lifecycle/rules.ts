import { t } from '@lingui/core/macro';
import type { Cents } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { quote } from '#contract/base/words.ts';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import type { DealReason, DealRef, DealStatus, DealType, ExchangeKind } from '#contract/deals/deals.ts';
import type { WebhookData, WebhookEvent } from '#contract/people/webhooks.ts';
import { ENDED_BID_TEXTS } from '#server/texts/bids.ts';
import { END_REASONS } from '#server/texts/deals.ts';
import { ENDED_EXCHANGE_TEXTS } from '#server/texts/exchanges.ts';
import type { StoredText } from '#server/texts/stored.ts';

/** A transition table of the contract: from, to, allowed sides. */
type Transitions<Side extends string> = Record<DealStatus, Partial<Record<DealStatus, readonly Side[]>>>;

/**
 * Checks a move against the transition table. `forbidden`: never allowed for this side; `stale`: not possible from the
 * current state.
 */
export function judgeMove<Side extends string>(
  transitions: Transitions<Side>,
  { from, to, side }: { from: DealStatus; to: DealStatus; side: Side },
): 'allowed' | 'forbidden' | 'stale' {
  const sidesNow = transitions[from][to] ?? [];
  if (sidesNow.length > 0) return sidesNow.includes(side) ? 'allowed' : 'forbidden';
  const everAllowed = Object.values(transitions).some((moves) => moves[to]?.includes(side));
  return everAllowed ? 'stale' : 'forbidden';
}

/** The message for a stale call: the deal's current state. */
export function stateText(type: DealType, status: DealStatus): string {
  return STATE_TEXTS[type][status]();
}

const STATE_TEXTS: Record<DealType, Record<DealStatus, () => string>> = {
  bid: {
    pending: () => t`This bid is still pending.`,
    accepted: () => t`This bid is already accepted.`,
    completed: () => t`This bid is already completed.`,
    rejected: () => t`This bid is already rejected.`,
    cancelled: () => t`This bid is already cancelled.`,
  },
  exchange: {
    pending: () => t`This exchange is still pending.`,
    accepted: () => t`This exchange is already accepted.`,
    completed: () => t`This exchange is already completed.`,
    rejected: () => t`This exchange is already rejected.`,
    cancelled: () => t`This exchange is already cancelled.`,
  },
};

export interface TradableCoupon {
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
    return t`Public codes are for personal use and can be neither exchanged nor sold`;
  }
  if (coupon.expiresAt !== null && coupon.expiresAt < at) return t`${quote(coupon.title)} has expired`;
  if (coupon.deletedAt !== null || !coupon.isActive) return TEXTS.exchanges.unavailable(coupon.title);
  return null;
}

/** Why a giver cannot hand over a coupon at an instant; null when they can: it is theirs, and may change hands. */
export function giveObstacle(
  coupon: TradableCoupon & { readonly ownerId: number },
  giverId: number,
  at: Date,
): string | null {
  const obstacle = tradeObstacle(coupon, at);
  if (obstacle !== null || coupon.ownerId === giverId) return obstacle;
  return t`${quote(coupon.title)} has changed hands in the meantime`;
}

/** Why a coupon cannot be sold now, though it may change hands otherwise; null when it can. */
export function saleObstacle({
  title,
  isSaleStopped,
}: {
  title: string;
  isSaleStopped: boolean;
}): string | null {
  return isSaleStopped
    ? t`${quote(title)} cannot be sold until a moderator has looked at its seller’s sales`
    : null;
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
    readonly isPriced: boolean;
  }[];
  /** The coupon that caused the ending; null when none did. */
  readonly causeId: number | null;
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
  /** Whether the time to begin to pay was not what ended it. */
  readonly hasBegun: boolean;
  /** Whether the asking price accepted it: it is called a purchase. */
  readonly isAutomatic: boolean;
  readonly couponId: number;
  readonly couponTitle: string;
}

export type EndedDeal = EndedExchange | EndedBid;

/** What follows when deals end for a reason. */
interface EndingRule {
  readonly to: 'rejected' | 'cancelled';
  readonly action: 'rejected' | 'cancelled' | 'expired';
  /** Which pending deals on the coupons in question end, too. */
  readonly rivals: readonly DealType[];
  /** Whether these coupons are taken off the lists. */
  readonly delists?: true;
}

const CANCELLED = { to: 'cancelled', action: 'cancelled' } as const;
const EXPIRED = { to: 'cancelled', action: 'expired', rivals: [] } as const;
const ALL = { ...CANCELLED, rivals: ['exchange', 'bid'] } as const;

export const ENDINGS: Record<RuleReason, EndingRule> = {
  // Exchanges wait: their coupon is only reserved (decisions 3.4).
  rival_accepted: { to: 'rejected', action: 'rejected', rivals: ['bid'] },
  rival_completed: ALL,
  coupon_deleted: ALL,
  coupon_changed: ALL,
  code_refused: { ...ALL, delists: true },
  coupon_expired: EXPIRED,
  deadline: EXPIRED,
  party_banned: ALL,
  party_left: { ...CANCELLED, rivals: [] },
};

/** What programs are told of an ending. */
export function endingNews(deal: EndedDeal, reason: RuleReason): { event: WebhookEvent; data: WebhookData } {
  const status = ENDINGS[reason].to;
  const couponIds = deal.kind === 'bid' ? [deal.couponId] : deal.legs.map(({ couponId }) => couponId);
  return { event: `${deal.kind}.${status}`, data: { couponIds, status } };
}

/** What each party reads: which deal ended, and why. */
interface EndingTexts {
  readonly deal: DealRef;
  readonly mailSubject: StoredText;
  readonly parties: readonly { readonly userId: number; readonly text: StoredText }[];
}

/** @param closedId whose account was closed, where that is the reason: the other one must not think it is theirs */
export function endingTexts(deal: EndedDeal, reason: RuleReason, closedId?: number): EndingTexts {
  return deal.kind === 'exchange'
    ? exchangeEnding(deal, reason, closedId)
    : bidEnding(deal, reason, closedId);
}

function exchangeEnding(deal: EndedExchange, reason: RuleReason, closedId?: number): EndingTexts {
  const text = ENDED_EXCHANGE_TEXTS[deal.dealKind];
  const titles = (side: 'giverId' | 'receiverId', userId: number) =>
    deal.legs.filter((leg) => leg[side] === userId).map(({ title }) => title);
  return {
    deal: { dealType: 'exchange', dealId: deal.id },
    mailSubject: ENDED_EXCHANGE_TEXTS.subject(),
    parties: deal.parties.map(({ id }) => ({
      userId: id,
      text: text({
        others: deal.parties.filter((party) => party.id !== id).map(({ username }) => username),
        given: titles('giverId', id),
        got: titles('receiverId', id),
        why: whyExchangeEnded(deal, reason, id, closedId),
        isPriced: deal.from === 'accepted' && deal.legs.some(({ isPriced }) => isPriced),
      }),
    })),
  };
}

function whyExchangeEnded(
  deal: EndedExchange,
  reason: RuleReason,
  readerId: number,
  closedId?: number,
): StoredText {
  const cause = deal.legs.find(({ couponId }) => couponId === deal.causeId);
  const coupon = cause?.title ?? '';
  switch (reason) {
    case 'rival_accepted':
      return END_REASONS.rivalAccepted();
    case 'deadline':
      if (deal.from === 'accepted') {
        return END_REASONS.deadline[
          deal.legs.some(({ isPriced }) => isPriced) ? 'bidUnpaid' : 'uncompleted'
        ]();
      }
      if (deal.dealKind === 'ring') return END_REASONS.deadline.ringUnanswered();
      return END_REASONS.deadline[deal.round > 1 ? 'counterUnanswered' : 'swapUnanswered']();
    case 'party_banned':
    case 'party_left': {
      const texts = END_REASONS[reason];
      if (readerId === closedId) return texts.own();
      const closed = deal.dealKind === 'ring' && deal.parties.find(({ id }) => id === closedId);
      return closed ? texts.named({ name: closed.username }) : texts.other();
    }
    case 'code_refused': {
      if (cause?.giverId === readerId) return END_REASONS.exchange.ownCodeRefused({ coupon });
      const giver = deal.parties.find(({ id }) => id === cause?.giverId)?.username ?? '';
      return END_REASONS.exchange.otherCodeRefused({ coupon, giver });
    }
    default:
      return END_REASONS.exchange[reason]({ coupon });
  }
}

function bidEnding(deal: EndedBid, reason: RuleReason, closedId?: number): EndingTexts {
  const ending = deal.isAutomatic ? 'purchaseCancelled' : 'cancelled';
  const texts = ENDED_BID_TEXTS[reason === 'rival_accepted' ? 'declined' : ending];
  const { bidderId, ownerId, amount } = deal;
  const people = { bidder: deal.bidderUsername, owner: deal.ownerUsername, coupon: deal.couponTitle };
  const factsFor = (userId: number) => ({
    ...people,
    amount,
    why: whyBidEnded(deal, reason, userId === closedId),
  });
  return {
    deal: { dealType: 'bid', dealId: deal.id },
    mailSubject: texts.subject(),
    parties: [
      { userId: bidderId, text: texts.bidder(factsFor(bidderId)) },
      { userId: ownerId, text: texts.owner(factsFor(ownerId)) },
    ],
  };
}

function whyBidEnded(deal: EndedBid, reason: RuleReason, isOwn: boolean): StoredText {
  switch (reason) {
    case 'rival_accepted':
      return END_REASONS.rivalAccepted();
    case 'deadline':
      if (deal.from === 'accepted')
        return END_REASONS.deadline[deal.hasBegun ? 'bidUnpaid' : 'bidNotBegun']();
      return END_REASONS.deadline[deal.round > 1 ? 'counterUnanswered' : 'bidUnanswered']();
    case 'party_banned':
    case 'party_left':
      return END_REASONS[reason][isOwn ? 'own' : 'other']();
    default:
      return END_REASONS.bid[reason]();
  }
}
