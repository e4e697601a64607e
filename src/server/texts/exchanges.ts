import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import { decimalToCents } from '#contract/base/money.ts';
import { quoted } from '#contract/base/words.ts';
import {
  COUNTER_HOURS,
  DEADLINE_DAYS,
  type ExchangeKind,
  RING_CONSENT_HOURS,
} from '#contract/deals/deals.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { type Stored, type StoredText, stored, type TextOf } from './stored.ts';
import { amountOf, sentences, type Text } from './text.ts';

/** The texts about exchanges: for histories, notifications and the subjects of their mails. */

/** A change of an exchange, as the person who makes it and each of the others read it. */
interface ExchangeTexts {
  /** Only where the subject of the notification's type is not specific enough. */
  readonly subject?: () => string;
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
  /** Whether somebody pays besides. */
  readonly isPriced: boolean;
}

/** What the reader pays or gets in an exchange besides coupons: decimal texts in the base currency, with the payer's fee and less the payee's. */
export interface OwnPrice {
  readonly amount: string;
  readonly buyerTotal: string;
  readonly netAmount: string;
  readonly pays: string;
  readonly gets: string;
  readonly isPayer: boolean;
}

/** What market day did for the reader. Nobody acts in it. */
const marketDayText = ({ given, got }: ExchangeFacts) =>
  t`Market day: you gave ${quoted(given)} and now own ${quoted(got)}. If a code does not work, say so within ${CLAIM_HOURS} hours.`;
const marketDay = {
  subject: () => t`Market day has swapped for you`,
  actor: marketDayText,
  other: marketDayText,
};

const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

const cad = (amount: string) => amountOf(decimalToCents(amount));

function priceText({ amount, buyerTotal, netAmount, pays, gets, isPayer }: OwnPrice): string {
  return isPayer
    ? t`You also pay ${gets} ${cad(amount)}, ${cad(buyerTotal)} with the fee.`
    : t`${pays} also pays you ${cad(amount)}, ${cad(netAmount)} after the fee.`;
}

function pricesText(prices: readonly OwnPrice[]): string {
  return prices.length === 0
    ? t`Others in it also pay each other money.`
    : sentences(...prices.map(priceText));
}

interface PricedFacts {
  /** One of SWAP_TEXTS or RING_TEXTS. */
  readonly text: StoredText;
  readonly prices: readonly OwnPrice[];
}

/** What follows where somebody pays besides. */
export const PRICED_TEXTS = stored('priced', {
  agreeing: ({ text, prices }: PricedFacts, textOf: TextOf) => sentences(textOf(text), pricesText(prices)),
  accepted: ({ text, prices }: PricedFacts, textOf: TextOf) =>
    sentences(
      textOf(text),
      pricesText(prices),
      t`The coupons change hands as soon as everything is paid, within ${PAY_HOURS} hours.`,
    ),
  cancelled: ({ text }: PricedFacts, textOf: TextOf) =>
    sentences(textOf(text), t`Everyone who has paid gets all of it back.`),
});

/** The text with the sentences about the money that people agree on, where it matters. */
export function withPrices(transition: string, facts: PricedFacts): StoredText {
  if (['complete', 'settle', 'reject', 'withdraw'].includes(transition)) return facts.text;
  if (transition === 'cancel') return PRICED_TEXTS.cancelled(facts);
  return PRICED_TEXTS[transition === 'accept' ? 'accepted' : 'agreeing'](facts);
}

export const SWAP_TEXTS = stored('swap', {
  propose: {
    actor: ({ owner, offered, asked }) =>
      t`You proposed an exchange to ${owner}: your ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      t`${requester} proposes an exchange: ${quoted(offered)} for your ${quoted(asked)}.`,
  },
  counter: {
    subject: () => t`You have a counter-offer`,
    actor: ({ owner, offered, asked }) =>
      t`You made ${owner} a counter-offer: your ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      t`${requester} made you a counter-offer: ${quoted(offered)} for your ${quoted(asked)}. You have ${COUNTER_HOURS} hours to answer.`,
  },
  revise: {
    subject: () => t`An exchange request has changed`,
    actor: ({ owner, offered, asked }) =>
      t`You changed your exchange request to ${owner}: your ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      t`${requester} changed their exchange request: ${quoted(offered)} for your ${quoted(asked)}.`,
  },
  accept: {
    actor: ({ requester, offered, asked }) =>
      t`You accepted ${requester}’s exchange request: ${quoted(offered)} for your ${quoted(asked)}.`,
    other: ({ owner, offered, asked, isPriced }) =>
      sentences(
        t`${owner} accepted your exchange request: ${quoted(offered)} for ${quoted(asked)}.`,
        isPriced ? null : t`Either of you can complete the exchange now.`,
      ),
  },
  reject: {
    actor: ({ requester, offered, asked }) =>
      t`You declined ${requester}’s exchange request: ${quoted(offered)} for your ${quoted(asked)}.`,
    other: ({ owner, offered, asked }) =>
      t`${owner} declined your exchange request: ${quoted(offered)} for ${quoted(asked)}.`,
  },
  withdraw: {
    subject: () => t`An exchange request was withdrawn`,
    actor: ({ owner, offered, asked }) =>
      t`You withdrew your exchange request to ${owner}: ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ requester, offered, asked }) =>
      t`${requester} withdrew their exchange request: ${quoted(offered)} for your ${quoted(asked)}.`,
  },
  cancel: {
    subject: () => t`Your exchange was cancelled`,
    actor: ({ others, offered, asked }) =>
      t`You cancelled the accepted exchange with ${listed(others)}: ${quoted(offered)} for ${quoted(asked)}.`,
    other: ({ actor, offered, asked }) =>
      t`${actor} cancelled the accepted exchange of ${quoted(offered)} for ${quoted(asked)}.`,
  },
  complete: {
    actor: ({ others, got }) =>
      t`You completed the exchange with ${listed(others)}: you now own ${quoted(got)}.`,
    other: ({ actor, got }) => t`${actor} completed your exchange: you now own ${quoted(got)}.`,
  },
  marketDay,
  settle: {
    actor: ({ others, got }) =>
      t`Everything is paid, and your exchange with ${listed(others)} is completed: you now own ${quoted(got)}.`,
    other: ({ others, got }) =>
      t`Everything is paid, and your exchange with ${listed(others)} is completed: you now own ${quoted(got)}.`,
  },
} satisfies Record<string, ExchangeTexts>);

/** Who is in a ring besides the reader and the person who acts. */
const besides = (actor: string, others: readonly string[]) => listed(others.filter((name) => name !== actor));

export const RING_TEXTS = stored('ring', {
  propose: {
    subject: () => t`Someone proposes a ring to you`,
    actor: ({ others, given, got }) =>
      t`You proposed the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      t`${actor} proposes the ring with ${besides(actor, others)}: you give ${quoted(given)} and get ${quoted(got)}. Everyone has ${RING_CONSENT_HOURS} hours to agree.`,
  },
  consent: {
    subject: () => t`Someone agreed to your ring`,
    actor: ({ others, given, got }) =>
      t`You agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      t`${actor} agreed to the ring with ${besides(actor, others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  accept: {
    subject: () => t`Everyone has agreed to your ring`,
    actor: ({ others, given, got, isPriced }) =>
      sentences(
        t`You agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
        isPriced ? t`Everyone has agreed now.` : t`Everyone has agreed now, and any of you can complete it.`,
      ),
    other: ({ others, given, got, isPriced }) =>
      sentences(
        t`Everyone has agreed to the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
        isPriced ? null : t`Any of you can complete it now.`,
      ),
  },
  reject: {
    subject: () => t`Someone declined your ring`,
    actor: ({ others, given, got }) =>
      t`You declined the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      t`${actor} declined the ring with ${besides(actor, others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  withdraw: {
    subject: () => t`A ring was withdrawn`,
    actor: ({ others, given, got }) =>
      t`You withdrew the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      t`${actor} withdrew the ring with ${besides(actor, others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  cancel: {
    subject: () => t`Your ring was cancelled`,
    actor: ({ others, given, got }) =>
      t`You cancelled the ring with ${listed(others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
    other: ({ actor, others, given, got }) =>
      t`${actor} cancelled the ring with ${besides(actor, others)}: you give ${quoted(given)} and get ${quoted(got)}.`,
  },
  complete: {
    actor: ({ others, got }) => t`You completed the ring with ${listed(others)}: you now own ${quoted(got)}.`,
    other: ({ actor, got }) => t`${actor} completed your ring: you now own ${quoted(got)}.`,
  },
  marketDay,
  settle: {
    actor: ({ others, got }) =>
      t`Everything is paid, and your ring with ${listed(others)} is completed: you now own ${quoted(got)}.`,
    other: ({ others, got }) =>
      t`Everything is paid, and your ring with ${listed(others)} is completed: you now own ${quoted(got)}.`,
  },
} satisfies Record<string, ExchangeTexts>);

export const EXCHANGE_TEXTS: Record<
  ExchangeKind,
  Partial<Record<keyof typeof SWAP_TEXTS | keyof typeof RING_TEXTS, Stored<ExchangeTexts>>>
> = { swap: SWAP_TEXTS, ring: RING_TEXTS };

interface EndedExchangeFacts extends Pick<ExchangeFacts, 'others' | 'given' | 'got'> {
  /** One of END_REASONS. */
  readonly why: StoredText;
  /** Whether somebody may have paid. */
  readonly isPriced: boolean;
}

const refundText = (isPriced: boolean) => (isPriced ? t`Everyone who has paid gets all of it back.` : null);

/** An exchange that a rule ended. */
export const ENDED_EXCHANGE_TEXTS = stored('endedExchange', {
  subject: () => t`Your exchange was cancelled`,
  swap: ({ others, given, got, why, isPriced }: EndedExchangeFacts, textOf: TextOf) =>
    sentences(
      t`Your exchange with ${listed(others)} (your ${quoted(given)} for ${quoted(got)}) was cancelled: ${textOf(why)}.`,
      refundText(isPriced),
    ),
  ring: ({ others, given, got, why, isPriced }: EndedExchangeFacts, textOf: TextOf) =>
    sentences(
      t`Your ring with ${listed(others)} (your ${quoted(given)} for ${quoted(got)}) was cancelled: ${textOf(why)}.`,
      refundText(isPriced),
    ),
});
