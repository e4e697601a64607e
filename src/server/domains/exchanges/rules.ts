import type { DealStatus, ExchangeSide } from '#contract/deals.ts';
import type { LogAction, NotificationType } from '#contract/notifications.ts';

interface Parties {
  readonly requesterId: number;
  readonly ownerId: number;
}

export function sideOf(exchange: Parties, userId: number): ExchangeSide | null {
  if (userId === exchange.requesterId) return 'requester';
  return userId === exchange.ownerId ? 'owner' : null;
}

/** The refusal for a caller on the wrong side of the deal. */
export function forbiddenText(to: DealStatus): string {
  if (to === 'cancelled') {
    return 'Only the person who asked for this exchange can cancel it while it is pending. You can reject it.';
  }
  return `Only the owner of the requested coupon can ${to === 'accepted' ? 'accept' : 'reject'} this exchange.`;
}

/** What can happen to an exchange. */
export type ExchangeAct = 'propose' | 'revise' | 'accept' | 'reject' | 'withdraw' | 'cancel' | 'complete';

interface ActTexts {
  readonly action: LogAction;
  readonly type: NotificationType;
  /** For the actor's history. */
  readonly actor: string;
  /** For the other party's history and notification. */
  readonly other: string;
  /** Only where the notification's type is not specific enough. */
  readonly mailSubject?: string;
}

interface DealFacts {
  readonly requesterUsername: string;
  readonly ownerUsername: string;
  readonly requestedTitle: string;
  readonly offeredTitle: string;
}

/** The sentences about an act. @param side the actor's side */
export function actTexts(act: ExchangeAct, exchange: DealFacts, side: ExchangeSide): ActTexts {
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
