import { COUNTER_HOURS, DEADLINE_DAYS, type ExchangeKind, RING_CONSENT_HOURS } from '#contract/deals.ts';
import { listed } from '#contract/locale.ts';
import { quoted } from '#contract/words.ts';
import type { Text } from './text.ts';

/** The texts about exchanges: for histories, notifications and the subjects of their mails. */

/** A change of an exchange, as the person who makes it and each of the others read it. */
interface ExchangeTexts {
  /** Only where the subject of the notification's type is not specific enough. */
  readonly subject?: string;
  readonly actor: Text<ExchangeFacts>;
  readonly other: Text<ExchangeFacts>;
}

export interface ExchangeFacts {
  readonly requester: string;
  /** The party of a swap who is not the requester. */
  readonly owner: string;
  readonly actor: string;
  /** Everybody but the reader. */
  readonly others: readonly string[];
  /** The titles that the requester gives, and that they get. */
  readonly offered: readonly string[];
  readonly asked: readonly string[];
  /** The titles that the reader gives, and that they get. */
  readonly given: readonly string[];
  readonly got: readonly string[];
  /** What is paid besides: decimal texts in CAD, with the payer's fee and less the payee's. */
  readonly prices: readonly {
    readonly amount: string;
    readonly buyerTotal: string;
    readonly netAmount: string;
    readonly pays: string;
    readonly gets: string;
    readonly isPayer: boolean;
    readonly isPayee: boolean;
  }[];
}

const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

/** The sentences about the money of an exchange that its people agree on, for one of them; '' where they do not matter. */
export function moneyText(transition: string, { prices }: ExchangeFacts): string {
  if (prices.length === 0 || ['complete', 'settle', 'reject', 'withdraw'].includes(transition)) return '';
  const own = prices.flatMap(({ amount, buyerTotal, netAmount, pays, gets, isPayer, isPayee }) => {
    if (isPayer) return [`You pay ${gets} $${amount} CAD besides, $${buyerTotal} CAD with the fee.`];
    return isPayee ? [`${pays} pays you $${amount} CAD besides, $${netAmount} CAD after the fee.`] : [];
  });
  const others = own.length === 0 ? ['Others in it pay each other money besides.'] : own;
  const when = {
    accept: `The coupons change hands as soon as everything is paid, within ${PAY_HOURS} hours.`,
    cancel: 'Whoever has paid gets all of it back.',
  }[transition];
  return ['', ...(transition === 'cancel' ? [] : others), ...(when === undefined ? [] : [when])].join(' ');
}

export const SWAP_TEXTS = {
  propose: {
    actor: ({ owner, offered, asked }) =>
      `You offered ${owner} your ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      `${requester} offers you ${quoted(offered)} for your ${quoted(asked)}.`,
  },
  counter: {
    subject: 'You have a counter-offer',
    actor: ({ owner, offered, asked }) =>
      `You made ${owner} a counter-offer: your ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      `${requester} made you a counter-offer: ${quoted(offered)} for your ${quoted(asked)}. You have ${COUNTER_HOURS} hours to answer.`,
  },
  revise: {
    subject: 'An offer to you has changed',
    actor: ({ owner, offered, asked }) =>
      `You changed your offer to ${owner}: your ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      `${requester} changed their offer: ${quoted(offered)} for your ${quoted(asked)}.`,
  },
  accept: {
    actor: ({ requester, offered, asked }) =>
      `You accepted ${requester}’s offer of ${quoted(offered)} for your ${quoted(asked)}.`,
    other: ({ owner, offered, asked, prices }) =>
      `${owner} accepted your offer of ${quoted(offered)} for ${quoted(asked)}.${prices.length > 0 ? '' : ' Either of you can complete the exchange now.'}`,
  },
  reject: {
    actor: ({ requester, offered, asked }) =>
      `You declined ${requester}’s offer of ${quoted(offered)} for your ${quoted(asked)}.`,
    other: ({ owner, offered, asked }) =>
      `${owner} declined your offer of ${quoted(offered)} for ${quoted(asked)}.`,
  },
  withdraw: {
    subject: 'An offer to you was withdrawn',
    actor: ({ owner, offered, asked }) =>
      `You withdrew your offer to ${owner}: ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      `${requester} withdrew their offer of ${quoted(offered)} for your ${quoted(asked)}.`,
  },
  cancel: {
    subject: 'Your exchange was cancelled',
    actor: ({ others, offered, asked }) =>
      `You cancelled the accepted exchange with ${listed(others)}: ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ actor, offered, asked }) =>
      `${actor} cancelled the accepted exchange of ${quoted(offered)} for ${quoted(asked)}.`,
  },
  complete: {
    actor: ({ others, got }) =>
      `You completed the exchange with ${listed(others)}: you now own ${quoted(got)}.`,
    other: ({ actor, got }) => `${actor} completed your exchange: you now own ${quoted(got)}.`,
  },
  settle: {
    actor: ({ others, got }) =>
      `Everything is paid, and your exchange with ${listed(others)} is completed: you now own ${quoted(got)}.`,
    other: ({ others, got }) =>
      `Everything is paid, and your exchange with ${listed(others)} is completed: you now own ${quoted(got)}.`,
  },
} satisfies Record<string, ExchangeTexts>;

export const RING_TEXTS = {
  propose: {
    subject: 'Someone proposes a ring to you',
    actor: ({ others, given, got }) =>
      `You proposed the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      `${actor} proposes the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}. Everyone has ${RING_CONSENT_HOURS} hours to agree.`,
  },
  consent: {
    subject: 'Someone agreed to your ring',
    actor: ({ others, given, got }) =>
      `You agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      `${actor} agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  accept: {
    subject: 'Everyone has agreed to your ring',
    actor: ({ others, given, got, prices }) =>
      `You agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}. Everyone has agreed now${prices.length > 0 ? '' : ', and any of you can complete it'}.`,
    other: ({ others, given, got, prices }) =>
      `Everyone has agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.${prices.length > 0 ? '' : ' Any of you can complete it now.'}`,
  },
  reject: {
    subject: 'Someone declined your ring',
    actor: ({ others, given, got }) =>
      `You declined the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      `${actor} declined the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  withdraw: {
    subject: 'A ring was withdrawn',
    actor: ({ others, given, got }) =>
      `You withdrew the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      `${actor} withdrew the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  cancel: {
    subject: 'Your ring was cancelled',
    actor: ({ others, given, got }) =>
      `You cancelled the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      `${actor} cancelled the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  complete: {
    actor: ({ others, got }) => `You completed the ring with ${listed(others)}: you now own ${quoted(got)}.`,
    other: ({ actor, got }) => `${actor} completed your ring: you now own ${quoted(got)}.`,
  },
  settle: {
    actor: ({ others, got }) =>
      `Everything is paid, and your ring with ${listed(others)} is completed: you now own ${quoted(got)}.`,
    other: ({ others, got }) =>
      `Everything is paid, and your ring with ${listed(others)} is completed: you now own ${quoted(got)}.`,
  },
} satisfies Record<string, ExchangeTexts>;

export const EXCHANGE_TEXTS: Record<
  ExchangeKind,
  Partial<Record<keyof typeof SWAP_TEXTS | keyof typeof RING_TEXTS, ExchangeTexts>>
> = { swap: SWAP_TEXTS, ring: RING_TEXTS };

interface EndedExchangeFacts extends Pick<ExchangeFacts, 'others' | 'given' | 'got'> {
  /** One of END_REASONS. */
  readonly why: string;
  /** Whether somebody may have paid. */
  readonly isPriced: boolean;
}

const refundText = (isPriced: boolean) => (isPriced ? ' Whoever has paid gets all of it back.' : '');

/** An exchange that a rule ended. */
export const ENDED_EXCHANGE_TEXTS = {
  subject: 'Your exchange was cancelled',
  swap: ({ others, given, got, why, isPriced }: EndedExchangeFacts) =>
    `Your exchange with ${listed(others)} (your ${quoted(given)} for ${quoted(got)}) was cancelled: ${why}.${refundText(isPriced)}`,
  ring: ({ others, given, got, why, isPriced }: EndedExchangeFacts) =>
    `Your ring with ${listed(others)} (your ${quoted(given)} for ${quoted(got)}) was cancelled: ${why}.${refundText(isPriced)}`,
};
