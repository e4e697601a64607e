import { PERSONAL_CATEGORIES } from '#contract/coupons.ts';
import { type DealStatus, EXCHANGE_TRANSITIONS, type ExchangeSide } from '#contract/deals.ts';
import type { LogAction, NotificationType } from '#contract/notifications.ts';

interface Parties {
  readonly requesterId: number;
  readonly ownerId: number;
}

/** On which side somebody stands; null for a stranger. */
export function sideOf(exchange: Parties, userId: number): ExchangeSide | null {
  if (userId === exchange.requesterId) return 'requester';
  return userId === exchange.ownerId ? 'owner' : null;
}

/**
 * Judges a move by the contract's table. `forbidden`: not for this side, whether now or ever; `stale`: the exchange
 * is not in a state from which it goes there.
 */
export function judgeMove(
  from: DealStatus,
  to: DealStatus,
  side: ExchangeSide,
): 'allowed' | 'forbidden' | 'stale' {
  const sidesNow = EXCHANGE_TRANSITIONS[from][to];
  if (sidesNow) return sidesNow.includes(side) ? 'allowed' : 'forbidden';
  const everAllowed = Object.values(EXCHANGE_TRANSITIONS).some((moves) => moves[to]?.includes(side));
  return everAllowed ? 'stale' : 'forbidden';
}

/** What a stale click is told: the state that the exchange is truly in. */
export function stateText(status: DealStatus): string {
  return status === 'pending' ? 'This exchange is still pending.' : `This exchange is already ${status}.`;
}

/** What the wrong side is told. */
export function forbiddenText(to: DealStatus): string {
  if (to === 'cancelled') {
    return 'Only the person who asked for this exchange can cancel it while it is pending. You can reject it.';
  }
  return `Only the owner of the requested coupon can ${to === 'accepted' ? 'accept' : 'reject'} this exchange.`;
}

interface TradableCoupon {
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  readonly expiryDate: string | null;
}

/**
 * Why a coupon cannot change hands on a day (`YYYY-MM-DD`, UTC); null when it can. It is valid to the end of its
 * last day (decisions 2.3); public codes are for personal use (decisions 2.6).
 */
export function tradeObstacle(coupon: TradableCoupon, today: string): string | null {
  if (PERSONAL_CATEGORIES.some((category) => category === coupon.category)) {
    return 'Public codes are for personal use and cannot be swapped';
  }
  if (coupon.expiryDate !== null && coupon.expiryDate < today) return `“${coupon.title}” has expired`;
  if (coupon.deletedAt !== null || !coupon.isActive) return `“${coupon.title}” is no longer available`;
  return null;
}

/** What a person can do to an exchange, as the history and the notifications tell it. */
export type ExchangeAct = 'propose' | 'revise' | 'accept' | 'reject' | 'withdraw' | 'cancel' | 'complete';

interface Story {
  readonly action: LogAction;
  readonly type: NotificationType;
  /** For the history of the one who acted. */
  readonly actor: string;
  /** For the history of the other party, who is also notified in these words. */
  readonly other: string;
  /** Where the notification's type alone would say too little. */
  readonly mailSubject?: string;
}

interface Told {
  readonly requesterUsername: string;
  readonly ownerUsername: string;
  readonly requestedTitle: string;
  readonly offeredTitle: string;
}

/** The sentences about an act. @param side on which the one who acted stands */
export function storyOf(act: ExchangeAct, exchange: Told, side: ExchangeSide): Story {
  const { requesterUsername: requester, ownerUsername: owner } = exchange;
  const [asked, offered] = [`“${exchange.requestedTitle}”`, `“${exchange.offeredTitle}”`];
  const [actor, other] = side === 'requester' ? [requester, owner] : [owner, requester];
  const [actorGets, otherGets] = side === 'requester' ? [asked, offered] : [offered, asked];
  switch (act) {
    case 'propose':
      return {
        action: 'created',
        type: 'exchange_request',
        actor: `You offered ${owner} your ${offered} for ${asked}.`,
        other: `${requester} offers you ${offered} for your ${asked}.`,
      };
    case 'revise':
      return {
        action: 'updated',
        type: 'exchange_request',
        actor: `You changed your offer to ${owner}: your ${offered} for ${asked}.`,
        other: `${requester} changed their offer: ${offered} for your ${asked}.`,
        mailSubject: 'An offer to you was changed',
      };
    case 'accept':
      return {
        action: 'accepted',
        type: 'exchange_accepted',
        actor: `You accepted ${requester}’s offer of ${offered} for your ${asked}.`,
        other: `${owner} accepted your offer of ${offered} for ${asked}. Either of you can complete the exchange now.`,
      };
    case 'reject':
      return {
        action: 'rejected',
        type: 'exchange_rejected',
        actor: `You declined ${requester}’s offer of ${offered} for your ${asked}.`,
        other: `${owner} declined your offer of ${offered} for ${asked}.`,
      };
    case 'withdraw':
      return {
        action: 'cancelled',
        type: 'other',
        actor: `You withdrew your offer to ${owner}: ${offered} for ${asked}.`,
        other: `${requester} withdrew their offer of ${offered} for your ${asked}.`,
        mailSubject: 'An offer to you was withdrawn',
      };
    case 'cancel':
      return {
        action: 'cancelled',
        type: 'other',
        actor: `You cancelled the accepted exchange with ${other}: ${offered} for ${asked}.`,
        other: `${actor} cancelled the accepted exchange of ${offered} for ${asked}.`,
        mailSubject: 'Your exchange was cancelled',
      };
    case 'complete':
      return {
        action: 'completed',
        type: 'exchange_completed',
        actor: `You completed the exchange with ${other}: ${actorGets} is yours now.`,
        other: `${actor} completed your exchange: ${otherGets} is yours now.`,
      };
  }
}
