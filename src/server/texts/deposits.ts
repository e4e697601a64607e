import { t } from '@lingui/core/macro';
import { DEPOSIT_HOURS, DEPOSIT_LAPSE_DAYS } from '#contract/money/deposits.ts';
import { type StoredText, stored, type TextOf } from './stored.ts';
import { amountOf, sentences } from './text.ts';

/** What is said of a deposit: its amount in cents, and who is meant. */
interface Facts {
  readonly amount: number;
  /** Who put it up. */
  readonly owner: string;
  /** Whose claim it is about; '' where there is none. */
  readonly claimant: string;
}

/** A text about an exchange, and the deposit of each, in cents. */
interface Agreed {
  readonly text: StoredText;
  readonly amount: number;
}

/** The text with a sentence about the deposit that people agree on, where it matters. */
export function withDeposit(transition: string, agreed: Agreed): StoredText {
  if (transition === 'accept') return DEPOSIT_TEXTS.agreed.accepted(agreed);
  const isOffer = ['propose', 'counter', 'revise', 'consent'].includes(transition);
  return isOffer ? DEPOSIT_TEXTS.agreed.offered(agreed) : agreed.text;
}

/** What people are told about deposits. */
export const DEPOSIT_TEXTS = stored('deposit', {
  agreed: {
    offered: ({ text, amount }: Agreed, textOf: TextOf) =>
      sentences(
        textOf(text),
        t`With a deposit of ${amountOf(amount)} each: who gave a code that fails loses it to the other.`,
      ),
    accepted: ({ text, amount }: Agreed, textOf: TextOf) =>
      sentences(
        textOf(text),
        t`Now each of you puts up the deposit of ${amountOf(amount)} within ${DEPOSIT_HOURS} hours.`,
      ),
  },
  authorised: {
    subject: () => t`A deposit is there`,
    owner: ({ amount }: Facts) =>
      t`You put up your deposit of ${amountOf(amount)}. It is reserved on your card for at most ${DEPOSIT_LAPSE_DAYS} days, and not taken.`,
    other: ({ owner, amount }: Facts) => t`${owner} put up the deposit of ${amountOf(amount)}.`,
    all: ({ owner, amount }: Facts) =>
      t`${owner} put up the deposit of ${amountOf(amount)}. Now everyone has: you can complete the exchange.`,
  },
  captured: {
    subject: () => t`Your deposit is on hold`,
    owner: ({ amount, claimant }: Facts) =>
      t`${claimant} says that a code you gave does not work, so we took your deposit of ${amountOf(amount)} until the claim is decided. You get it back if the claim is declined or withdrawn.`,
  },
  voided: {
    subject: () => t`Your deposit is released`,
    owner: ({ amount }: Facts) => t`Your deposit of ${amountOf(amount)} is released. Nothing was taken.`,
  },
  refunded: {
    subject: () => t`Your deposit is on its way back`,
    owner: ({ amount }: Facts) => t`You are getting your deposit of ${amountOf(amount)} back.`,
  },
  paid_out: {
    subject: () => t`A deposit was paid`,
    owner: ({ amount, claimant }: Facts) =>
      t`The claim about a code you gave was upheld, so ${claimant} gets your deposit of ${amountOf(amount)}.`,
    claimant: ({ amount, owner }: Facts) =>
      t`Your claim was upheld, so you get the deposit of ${owner}: ${amountOf(amount)} is on its way to your account.`,
  },
  account: {
    subject: () => t`Set up payments to get a deposit`,
    claimant: ({ amount, owner }: Facts) =>
      t`Your claim was upheld, so you get the deposit of ${owner}: ${amountOf(amount)}. Set up a payment account, so that we can pay you.`,
  },
});
