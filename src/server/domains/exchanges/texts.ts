import { COUNTER_HOURS, type ExchangeKind, RING_CONSENT_HOURS } from '#contract/deals.ts';
import type { LogAction, NotificationType } from '#contract/notifications.ts';
import { listed, quoted } from '#contract/words.ts';
import type { ExchangeAct } from './rules.ts';

interface ActTexts {
  readonly action: LogAction;
  readonly type: NotificationType;
  /** For the actor's history. */
  readonly actor: string;
  /** For the history and the notification of each of the others. */
  readonly other: (userId: number) => string;
  /** Only where the notification's type is not specific enough. */
  readonly mailSubject?: string;
}

interface DealFacts {
  readonly kind: ExchangeKind;
  readonly requesterId: number;
  readonly parties: readonly { readonly id: number; readonly username: string }[];
  readonly legs: readonly {
    readonly giverId: number;
    readonly receiverId: number;
    readonly coupon: { readonly title: string };
  }[];
}

/** The sentences about an act. */
export function actTexts(act: ExchangeAct, exchange: DealFacts, actorId: number): ActTexts {
  return exchange.kind === 'ring' ? ringTexts(act, exchange, actorId) : swapTexts(act, exchange, actorId);
}

const nameOf = ({ parties }: DealFacts, userId: number) =>
  parties.find(({ id }) => id === userId)?.username ?? '';

function titlesTo({ legs }: DealFacts, userId: number): string[] {
  return legs.filter(({ receiverId }) => receiverId === userId).map(({ coupon }) => coupon.title);
}

function titlesFrom({ legs }: DealFacts, userId: number): string[] {
  return legs.filter(({ giverId }) => giverId === userId).map(({ coupon }) => coupon.title);
}

/** “A” is yours now. */
function isYours(titles: readonly string[]): string {
  return `${quoted(titles)} ${titles.length === 1 ? 'is' : 'are'} yours now.`;
}

function swapTexts(act: ExchangeAct, exchange: DealFacts, actorId: number): ActTexts {
  const { requesterId } = exchange;
  const ownerId = exchange.parties.find(({ id }) => id !== requesterId)?.id ?? 0;
  const otherId = actorId === requesterId ? ownerId : requesterId;
  const [requester, owner] = [nameOf(exchange, requesterId), nameOf(exchange, ownerId)];
  const [actor, other] = [nameOf(exchange, actorId), nameOf(exchange, otherId)];
  const asked = quoted(titlesTo(exchange, requesterId));
  const offered = quoted(titlesFrom(exchange, requesterId));
  const texts: Record<ExchangeAct, Omit<ActTexts, 'other'> & { readonly other: string }> = {
    propose: {
      action: 'created',
      type: 'exchange_request',
      actor: `You offered ${owner} your ${offered} for ${asked}.`,
      other: `${requester} offers you ${offered} for your ${asked}.`,
    },
    counter: {
      action: 'created',
      type: 'exchange_request',
      actor: `You made ${owner} a counter-offer: your ${offered} for ${asked}.`,
      other: `${requester} makes you a counter-offer: ${offered} for your ${asked}. You have ${COUNTER_HOURS} hours to answer.`,
      mailSubject: 'A counter-offer to you',
    },
    revise: {
      action: 'updated',
      type: 'exchange_request',
      actor: `You changed your offer to ${owner}: your ${offered} for ${asked}.`,
      other: `${requester} changed their offer: ${offered} for your ${asked}.`,
      mailSubject: 'An offer to you was changed',
    },
    consent: {
      action: 'updated',
      type: 'other',
      actor: `You agreed to ${requester}’s offer of ${offered} for your ${asked}.`,
      other: `${owner} agreed to your offer of ${offered} for ${asked}.`,
    },
    accept: {
      action: 'accepted',
      type: 'exchange_accepted',
      actor: `You accepted ${requester}’s offer of ${offered} for your ${asked}.`,
      other: `${owner} accepted your offer of ${offered} for ${asked}. Either of you can complete the exchange now.`,
    },
    reject: {
      action: 'rejected',
      type: 'exchange_rejected',
      actor: `You declined ${requester}’s offer of ${offered} for your ${asked}.`,
      other: `${owner} declined your offer of ${offered} for ${asked}.`,
    },
    withdraw: {
      action: 'cancelled',
      type: 'other',
      actor: `You withdrew your offer to ${owner}: ${offered} for ${asked}.`,
      other: `${requester} withdrew their offer of ${offered} for your ${asked}.`,
      mailSubject: 'An offer to you was withdrawn',
    },
    cancel: {
      action: 'cancelled',
      type: 'other',
      actor: `You cancelled the accepted exchange with ${other}: ${offered} for ${asked}.`,
      other: `${actor} cancelled the accepted exchange of ${offered} for ${asked}.`,
      mailSubject: 'Your exchange was cancelled',
    },
    complete: {
      action: 'completed',
      type: 'exchange_completed',
      actor: `You completed the exchange with ${other}: ${isYours(titlesTo(exchange, actorId))}`,
      other: `${actor} completed your exchange: ${isYours(titlesTo(exchange, otherId))}`,
    },
  };
  const { other: text, ...rest } = texts[act];
  return { ...rest, other: () => text };
}

/** The sentences about a ring: with whom, and what the person gives and gets. */
function ringTexts(act: ExchangeAct, exchange: DealFacts, actorId: number): ActTexts {
  const actor = nameOf(exchange, actorId);
  const othersOf = (userId: number) =>
    listed(exchange.parties.filter(({ id }) => id !== userId).map(({ username }) => username));
  const dealOf = (userId: number) =>
    `you give ${quoted(titlesFrom(exchange, userId))} and get ${quoted(titlesTo(exchange, userId))}`;
  const ringOf = (userId: number) => `the ring with ${othersOf(userId)}: ${dealOf(userId)}`;
  const own = ringOf(actorId);
  switch (act) {
    case 'propose':
    case 'counter':
    case 'revise':
      return {
        action: 'created',
        type: 'exchange_request',
        actor: `You proposed ${own}.`,
        other: (userId) =>
          `${actor} proposes ${ringOf(userId)}. Everybody has ${RING_CONSENT_HOURS} hours to agree.`,
        mailSubject: 'Somebody proposes a ring to you',
      };
    case 'consent':
      return {
        action: 'updated',
        type: 'other',
        actor: `You agreed to ${own}.`,
        other: (userId) => `${actor} agreed to ${ringOf(userId)}.`,
        mailSubject: 'Somebody agreed to your ring',
      };
    case 'accept':
      return {
        action: 'accepted',
        type: 'exchange_accepted',
        actor: `You agreed to ${own}. Everybody has agreed now, and any of you can complete it.`,
        other: (userId) => `Everybody has agreed to ${ringOf(userId)}. Any of you can complete it now.`,
        mailSubject: 'Everybody has agreed to your ring',
      };
    case 'reject':
      return {
        action: 'rejected',
        type: 'exchange_rejected',
        actor: `You declined ${own}.`,
        other: (userId) => `${actor} declined ${ringOf(userId)}.`,
        mailSubject: 'Somebody declined your ring',
      };
    case 'withdraw':
      return {
        action: 'cancelled',
        type: 'other',
        actor: `You withdrew ${own}.`,
        other: (userId) => `${actor} withdrew ${ringOf(userId)}.`,
        mailSubject: 'A ring was withdrawn',
      };
    case 'cancel':
      return {
        action: 'cancelled',
        type: 'other',
        actor: `You cancelled ${own}.`,
        other: (userId) => `${actor} cancelled ${ringOf(userId)}.`,
        mailSubject: 'Your ring was cancelled',
      };
    case 'complete':
      return {
        action: 'completed',
        type: 'exchange_completed',
        actor: `You completed the ring with ${othersOf(actorId)}: ${isYours(titlesTo(exchange, actorId))}`,
        other: (userId) => `${actor} completed your ring: ${isYours(titlesTo(exchange, userId))}`,
      };
  }
}
