import { t } from '@lingui/core/macro';
import { utcDayAndTime } from '#contract/base/locale.ts';
import type { Cents } from '#contract/base/money.ts';
import { quote } from '#contract/base/words.ts';
import { ANSWER_HOURS } from '#contract/money/claims.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { type PaymentProviderName, PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { noteText } from './claim-notes.ts';
import { stored } from './stored.ts';
import { amountOf, sentences, type Text } from './text.ts';

/** The texts about payments and sellers. */

interface PaymentFacts {
  readonly coupon: string;
  readonly buyer: string;
  readonly provider: PaymentProviderName;
  /** What the buyer paid, and the seller's part of it. */
  readonly total: Cents;
  readonly net: Cents;
  /** What has just gone back to the buyer (or came back from their bank), to the seller, and back from the seller. */
  readonly returned: Cents;
  readonly paidOut: Cents;
  readonly reversed: Cents;
  /** The seller's whole part now, what was kept back from it, and what the seller owes. */
  readonly share: Cents;
  readonly keptBack: Cents;
  readonly owed: Cents;
  /** What the buyer of a granted late claim still gets. */
  readonly waiting: Cents;
  /** Until when an accepted bid can be paid; null: its time is over, or it is paid. */
  readonly payBy: string | null;
  /** The words of the moderator or admin who decided; null: there are none. */
  readonly note: string | null;
}

export interface PaymentTexts {
  readonly subject: () => string;
  /** Null: this party is not told. */
  readonly buyer: Text<PaymentFacts> | null;
  readonly seller: Text<PaymentFacts> | null;
}

const payAgain = (total: string, coupon: string, [day, time]: readonly [string, string]) =>
  t`The ${total} that you paid in your exchange for ${coupon} went back to you. For the exchange to go on, please pay again until ${day}, ${time} UTC.`;

/** What happens to a payment, as its parties read it. */
export const PAYMENT_TEXTS = stored('payment', {
  paid: {
    subject: () => t`Your payment is protected`,
    buyer: ({ total, coupon }) =>
      t`You paid ${amountOf(total)} for ${quote(coupon)}. Try the code now: we hold the seller’s money for ${HOLD_HOURS} hours.`,
    seller: ({ buyer, coupon, net }) =>
      t`${buyer} paid for ${quote(coupon)}. We hold your ${amountOf(net)} for ${HOLD_HOURS} hours while they try the code.`,
  },
  paid_too_late: {
    subject: () => t`You are getting your money back`,
    buyer: ({ total, coupon }) =>
      t`Your payment of ${amountOf(total)} for ${quote(coupon)} arrived when the coupon was no longer for sale. You are getting all of it back.`,
    seller: null,
  },
  confirmed: {
    subject: () => t`Your sale is final`,
    buyer: null,
    seller: ({ buyer, coupon, net }) =>
      t`${buyer} confirmed that the code of ${quote(coupon)} works. Your ${amountOf(net)} is on its way.`,
  },
  released: {
    subject: () => t`Your sale is final`,
    buyer: ({ coupon }) => t`The ${HOLD_HOURS} hours for ${quote(coupon)} are over, and the sale is final.`,
    seller: ({ coupon, net }) =>
      t`The ${HOLD_HOURS} hours for ${quote(coupon)} are over. Your ${amountOf(net)} is on its way.`,
  },
  answer_asked: {
    subject: () => t`A buyer says that a code does not work`,
    buyer: null,
    seller: ({ buyer, coupon, net }) =>
      t`${buyer} says that the code of ${quote(coupon)} does not work. Please tell us what you know about it within ${ANSWER_HOURS} hours. Then a moderator decides. We hold your ${amountOf(net)} until then.`,
  },
  /** Of claims that did not wait for an answer: rows still name it. */
  claimed: {
    subject: () => t`A buyer says that a code does not work`,
    buyer: null,
    seller: ({ buyer, coupon, net }) =>
      t`${buyer} says that the code of ${quote(coupon)} does not work. A moderator will decide. We hold your ${amountOf(net)} until then.`,
  },
  claim_withdrawn: {
    subject: () => t`A claim was withdrawn`,
    buyer: null,
    seller: ({ buyer, coupon }) => t`${buyer} withdrew their claim about ${quote(coupon)}.`,
  },
  claim_refunded: {
    subject: () => t`Your claim was decided`,
    buyer: ({ coupon, total, note }) =>
      sentences(
        t`Your claim about ${quote(coupon)} was upheld. You are getting ${amountOf(total)} back.`,
        noteText(note),
      ),
    seller: ({ coupon, note }) =>
      sentences(
        t`The claim about ${quote(coupon)} was upheld: the buyer gets their money back, and you get the coupon back.`,
        noteText(note),
      ),
  },
  claim_overdue: {
    subject: () => t`Your claim was decided`,
    buyer: ({ coupon, total }) =>
      t`No one decided your claim about ${quote(coupon)} in time, so it was upheld. You are getting ${amountOf(total)} back.`,
    seller: ({ coupon }) =>
      t`No one decided the claim about ${quote(coupon)} in time, so it was upheld: the buyer gets their money back, and you get the coupon back.`,
  },
  unheard: {
    subject: () => t`You are getting your money back`,
    buyer: ({ coupon, total }) =>
      t`We could not ask you whether the code of ${quote(coupon)} works, so you are getting ${amountOf(total)} back.`,
    seller: ({ coupon }) =>
      t`We could not ask the buyer of ${quote(coupon)} in time whether the code works: they get their money back, and you get the coupon back.`,
  },
  /** Only of the price of a leg, whose exchange has ended before it was completed. */
  exchange_ended: {
    subject: () => t`You are getting your money back`,
    buyer: ({ coupon, total }) =>
      t`Your exchange was cancelled. You are getting ${amountOf(total)} back that you paid for ${quote(coupon)}.`,
    seller: null,
  },
  claim_released: {
    subject: () => t`A claim was decided`,
    buyer: ({ coupon, note }) =>
      sentences(t`Your claim about ${quote(coupon)} was declined, and the sale is final.`, noteText(note)),
    seller: ({ coupon, net, note }) =>
      sentences(
        t`The claim about ${quote(coupon)} was declined. Your ${amountOf(net)} is on its way.`,
        noteText(note),
      ),
  },
  paid_out: {
    subject: () => t`You have been paid`,
    buyer: null,
    seller: ({ paidOut, coupon, keptBack }) =>
      keptBack > 0
        ? t`You have been paid ${amountOf(paidOut)} for ${quote(coupon)}. We withheld ${amountOf(keptBack)} for what you owed on an earlier sale.`
        : t`You have been paid ${amountOf(paidOut)} for ${quote(coupon)}.`,
  },
  refund_decided: {
    subject: () => t`A refund was decided`,
    buyer: ({ returned, coupon, note }) =>
      t`We are refunding you ${amountOf(returned)} for ${quote(coupon)}: ${quote(note ?? '')}`,
    seller: ({ returned, coupon, note }) =>
      t`We are refunding the buyer of ${quote(coupon)} ${amountOf(returned)}: ${quote(note ?? '')}`,
  },
  refunded: {
    subject: () => t`Your refund`,
    buyer: ({ total, coupon }) => t`You have been refunded ${amountOf(total)} for ${quote(coupon)}.`,
    seller: null,
  },
  /** The price of an exchange went back before all had paid. */
  pay_again: {
    subject: () => t`Please pay again`,
    buyer: ({ total, coupon, payBy }) =>
      payBy === null
        ? t`The ${amountOf(total)} that you paid in your exchange for ${quote(coupon)} went back to you.`
        : payAgain(amountOf(total), quote(coupon), utcDayAndTime(payBy)),
    seller: null,
  },
  /** A refund of a sale that was completed. */
  undone: {
    subject: () => t`Your refund`,
    buyer: ({ total, coupon }) => t`You have been refunded ${amountOf(total)} for ${quote(coupon)}.`,
    seller: ({ coupon }) =>
      t`The sale of ${quote(coupon)} was undone. The coupon is yours again and is not listed.`,
  },
  disputed: {
    subject: () => t`A bank disputes a payment`,
    buyer: ({ coupon }) =>
      t`Your bank disputes your payment for ${quote(coupon)}. We cannot pay out or refund anything until it has decided.`,
    seller: ({ coupon }) =>
      t`The buyer’s bank disputes the payment for ${quote(coupon)}. We cannot pay out or refund anything until it has decided.`,
  },
  dispute_won: {
    subject: () => t`The bank has confirmed a payment`,
    buyer: null,
    seller: ({ coupon }) => t`The bank has confirmed the payment for ${quote(coupon)}.`,
  },
  dispute_lost: {
    subject: () => t`The bank took a payment back`,
    buyer: ({ coupon }) => t`Your bank returned your payment for ${quote(coupon)} to you.`,
    seller: ({ coupon }) => t`The buyer’s bank took back the payment for ${quote(coupon)}.`,
  },
  appeal_won: {
    subject: () => t`The bank has changed its decision`,
    buyer: ({ coupon }) =>
      t`Your bank has withdrawn its decision on your payment for ${quote(coupon)}. We are looking into it and will write to you.`,
    seller: ({ coupon }) =>
      t`The buyer’s bank has withdrawn its decision on the payment for ${quote(coupon)}. We are looking into it and will write to you.`,
  },
  partly_refunded: {
    subject: () => t`Part of a payment was refunded`,
    buyer: ({ returned, coupon }) =>
      t`You got ${amountOf(returned)} back for ${quote(coupon)}. The sale stays as it is.`,
    seller: ({ returned, coupon, share }) =>
      t`${amountOf(returned)} of the payment for ${quote(coupon)} went back to the buyer. The sale stays as it is; your share is now ${amountOf(share)}.`,
  },
  refund_failed: {
    subject: () => t`A refund did not arrive`,
    buyer: ({ returned, coupon }) =>
      t`${amountOf(returned)} that we refunded for ${quote(coupon)} came back from your bank. We will write to you about another way to get your money back.`,
    seller: null,
  },
  payout_reversed: {
    subject: () => t`Part of a payout was taken back`,
    buyer: null,
    seller: ({ reversed, coupon }) =>
      t`We took back ${amountOf(reversed)} that you were paid for ${quote(coupon)} because the buyer got money back.`,
  },
  payout_failed: {
    subject: () => t`We could not pay you`,
    buyer: null,
    seller: ({ provider, net, coupon }) =>
      t`${PROVIDER_NAMES[provider]} could not pay you your ${amountOf(net)} for ${quote(coupon)}. Please sign in there and see what your account needs. We will try again automatically.`,
  },
  kept_back: {
    subject: () => t`A payout was withheld for what you owed`,
    buyer: null,
    seller: ({ keptBack, coupon }) =>
      t`We withheld your ${amountOf(keptBack)} for ${quote(coupon)} for what you owed on an earlier sale. There is no further payout for it.`,
  },
  debt: {
    subject: () => t`A buyer got money back after you were paid`,
    buyer: null,
    seller: ({ provider, coupon, owed }) =>
      provider === 'paypal'
        ? t`The buyer of ${quote(coupon)} got money back after you were paid. PayPal takes your share, ${amountOf(owed)}, from your PayPal account.`
        : t`You owe ${amountOf(owed)} for ${quote(coupon)}: the buyer got money back after you were paid, and your Stripe balance is too low to take it back. We withhold it from your next Stripe payouts.`,
  },
  debt_settled: {
    subject: () => t`You no longer owe anything for a sale`,
    buyer: null,
    seller: ({ coupon }) => t`You no longer owe anything for ${quote(coupon)}.`,
  },
  /** A claim after the hold, and what becomes of it. */
  late_claimed: {
    subject: () => t`A buyer says that a code no longer works`,
    buyer: null,
    seller: ({ buyer, coupon, net }) =>
      t`${buyer} says that the code of ${quote(coupon)} no longer works. Your sale is still covered by the guarantee. Please say what you know about it: then a moderator decides. If the claim is upheld, you owe your ${amountOf(net)}.`,
  },
  late_granted: {
    subject: () => t`Your claim was decided`,
    buyer: ({ coupon, waiting, note }) =>
      sentences(
        t`Your claim about ${quote(coupon)} was upheld. You are getting ${amountOf(waiting)} back: right away what has been paid back already, and the rest as soon as it is.`,
        noteText(note),
      ),
    seller: ({ coupon, owed, provider, note }) =>
      sentences(
        owed <= 0
          ? t`The claim about ${quote(coupon)} was upheld, so the buyer gets their money back. You get the coupon back once they have it.`
          : provider === 'paypal'
            ? t`The claim about ${quote(coupon)} was upheld, so the buyer gets their money back. PayPal takes your share, ${amountOf(owed)}, from your PayPal account. You get the coupon back once the buyer has the money.`
            : t`The claim about ${quote(coupon)} was upheld, so the buyer gets their money back. You owe your share, ${amountOf(owed)}: we take it from your Stripe balance, or withhold it from your next payouts. You get the coupon back once the buyer has the money.`,
        noteText(note),
      ),
  },
  late_refused: {
    subject: () => t`A claim was decided`,
    buyer: ({ coupon, note }) =>
      sentences(
        t`Your claim about ${quote(coupon)} was declined, and the sale stays as it is.`,
        noteText(note),
      ),
    seller: ({ coupon, note }) =>
      sentences(
        t`The claim about ${quote(coupon)} was declined, and the sale stays as it is.`,
        noteText(note),
      ),
  },
  late_part_paid: {
    subject: () => t`Part of your refund`,
    buyer: ({ returned, coupon, waiting }) =>
      t`You got ${amountOf(returned)} back for ${quote(coupon)}. The other ${amountOf(waiting)} will follow as soon as it has been paid back.`,
    seller: null,
  },
} satisfies Record<string, PaymentTexts>);

/** For sellers, about their payment accounts. */
export const SELLER_TEXTS = stored('seller', {
  buyerWaits: {
    subject: () => t`A buyer wants to pay you`,
    text: ({ buyer, coupon }: { buyer: string; coupon: string }) =>
      t`${buyer} wants to pay you for ${quote(coupon)}. Set up a payment account to receive the money.`,
  },
  ready: {
    subject: ({ provider }: { provider: PaymentProviderName }) =>
      t`Your ${PROVIDER_NAMES[provider]} account is ready`,
    text: ({ provider }: { provider: PaymentProviderName }) =>
      t`Your ${PROVIDER_NAMES[provider]} account is ready: buyers can pay you through it now.`,
  },
  notReady: {
    subject: ({ provider }: { provider: PaymentProviderName }) =>
      t`Your ${PROVIDER_NAMES[provider]} account needs your attention`,
    text: ({ provider }: { provider: PaymentProviderName }) =>
      t`Your ${PROVIDER_NAMES[provider]} account can no longer take payments. Please see what ${PROVIDER_NAMES[provider]} needs from you.`,
  },
  payoutFailed: {
    subject: () => t`Your bank returned a payout`,
    text: ({ provider, amount, reason }: { provider: PaymentProviderName; amount: Cents; reason: string }) =>
      t`Your bank returned ${amountOf(amount)} that ${PROVIDER_NAMES[provider]} paid out to you: ${reason} Please correct your bank account at ${PROVIDER_NAMES[provider]}; the money waits there.`,
  },
});
