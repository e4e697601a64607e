import { type Cents, centsToDecimal } from '#contract/money.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import { type PaymentProviderName, PROVIDER_NAMES } from '#contract/sellers.ts';
import { quote } from '#contract/words.ts';
import type { Text } from './text.ts';

/** The texts about payments and sellers. */

/** '$1250.00 CAD': without the sign, and without commas. */
function amountOf(cents: Cents): string {
  return `$${centsToDecimal(Math.abs(cents))} CAD`;
}

interface PaymentFacts {
  readonly coupon: string;
  readonly buyer: string;
  readonly provider: PaymentProviderName;
  /** What the buyer paid, and the seller's part of it. */
  readonly total: Cents;
  readonly net: Cents;
  /** What has just gone back to the buyer, to the seller, and back from the seller. */
  readonly returned: Cents;
  readonly paidOut: Cents;
  readonly reversed: Cents;
  /** The seller's whole part now, what was kept back from it, and what the seller owes. */
  readonly share: Cents;
  readonly keptBack: Cents;
  readonly owed: Cents;
  /** The words of the moderator or admin who decided; null: there are none. */
  readonly note: string | null;
}

interface PaymentTexts {
  readonly subject: string;
  /** Null: this party is not told. */
  readonly buyer: Text<PaymentFacts> | null;
  readonly seller: Text<PaymentFacts> | null;
}

function moderatorWrites(note: string | null): string {
  return note === null ? '' : ` A moderator writes: ${quote(note)}`;
}

/** What happens to a payment, as its parties read it. */
export const PAYMENT_TEXTS = {
  paid: {
    subject: 'Your payment is protected',
    buyer: ({ total, coupon }) =>
      `You paid ${amountOf(total)} for ${quote(coupon)}. Try the code: the seller’s money is held for ${HOLD_HOURS} hours.`,
    seller: ({ buyer, coupon, net }) =>
      `${buyer} paid for ${quote(coupon)}. Your ${amountOf(net)} are held for ${HOLD_HOURS} hours while they try the code.`,
  },
  paid_too_late: {
    subject: 'Your payment goes back to you',
    buyer: ({ total, coupon }) =>
      `Your payment of ${amountOf(total)} for ${quote(coupon)} came when it was no longer for sale. All of it goes back to you.`,
    seller: null,
  },
  confirmed: {
    subject: 'Your sale is final',
    buyer: null,
    seller: ({ buyer, coupon, net }) =>
      `${buyer} confirmed that the code of ${quote(coupon)} works. Your ${amountOf(net)} are on their way.`,
  },
  released: {
    subject: 'Your sale is final',
    buyer: ({ coupon }) => `The ${HOLD_HOURS} hours for ${quote(coupon)} are over, and the sale is final.`,
    seller: ({ coupon, net }) =>
      `The ${HOLD_HOURS} hours for ${quote(coupon)} are over. Your ${amountOf(net)} are on their way.`,
  },
  claimed: {
    subject: 'A buyer says that a code does not work',
    buyer: null,
    seller: ({ buyer, coupon, net }) =>
      `${buyer} says that the code of ${quote(coupon)} does not work. A moderator will decide; your ${amountOf(net)} stay held.`,
  },
  claim_withdrawn: {
    subject: 'A claim was withdrawn',
    buyer: null,
    seller: ({ buyer, coupon }) => `${buyer} withdrew their claim about ${quote(coupon)}.`,
  },
  claim_refunded: {
    subject: 'Your claim was decided',
    buyer: ({ coupon, total, note }) =>
      `Your claim about ${quote(coupon)} was granted: ${amountOf(total)} go back to you.${moderatorWrites(note)}`,
    seller: ({ coupon, note }) =>
      `The claim about ${quote(coupon)} was granted: the buyer gets their money back, and you the coupon.${moderatorWrites(note)}`,
  },
  claim_overdue: {
    subject: 'Your claim was decided',
    buyer: ({ coupon, total }) =>
      `Nobody decided your claim about ${quote(coupon)} in time, so it is granted: ${amountOf(total)} go back to you.`,
    seller: ({ coupon }) =>
      `Nobody decided the claim about ${quote(coupon)} in time, so it is granted: the buyer gets their money back, and you the coupon.`,
  },
  unheard: {
    subject: 'Your payment goes back to you',
    buyer: ({ coupon, total }) =>
      `You could not be asked whether the code of ${quote(coupon)} works, so ${amountOf(total)} go back to you.`,
    seller: ({ coupon }) =>
      `The buyer of ${quote(coupon)} could not be asked in time whether the code works: they get their money back, and you the coupon.`,
  },
  claim_released: {
    subject: 'A claim was decided',
    buyer: ({ coupon, note }) =>
      `Your claim about ${quote(coupon)} was not granted, and the sale is final.${moderatorWrites(note)}`,
    seller: ({ coupon, net, note }) =>
      `The claim about ${quote(coupon)} was not granted. Your ${amountOf(net)} are released.${moderatorWrites(note)}`,
  },
  paid_out: {
    subject: 'You have been paid',
    buyer: null,
    seller: ({ paidOut, coupon, keptBack }) =>
      keptBack > 0
        ? `You have been paid ${amountOf(paidOut)} for ${quote(coupon)}. ${amountOf(keptBack)} were kept back for what you owed for an earlier sale.`
        : `You have been paid ${amountOf(paidOut)} for ${quote(coupon)}.`,
  },
  refund_decided: {
    subject: 'A refund was decided',
    buyer: ({ returned, coupon, note }) =>
      `We refund you ${amountOf(returned)} for ${quote(coupon)}: ${quote(note ?? '')}`,
    seller: ({ returned, coupon, note }) =>
      `We refund the buyer of ${quote(coupon)} ${amountOf(returned)}: ${quote(note ?? '')}`,
  },
  refunded: {
    subject: 'Your refund',
    buyer: ({ total, coupon }) => `You have been refunded ${amountOf(total)} for ${quote(coupon)}.`,
    seller: null,
  },
  /** A refund of a sale that was completed. */
  undone: {
    subject: 'Your refund',
    buyer: ({ total, coupon }) => `You have been refunded ${amountOf(total)} for ${quote(coupon)}.`,
    seller: ({ coupon }) =>
      `The sale of ${quote(coupon)} was undone: the coupon is yours again, and not listed.`,
  },
  disputed: {
    subject: 'A payment is questioned by the bank',
    buyer: ({ coupon }) =>
      `Your bank questions your payment for ${quote(coupon)}. Until it has decided, nothing can be released or refunded.`,
    seller: ({ coupon }) =>
      `Disputed by the buyer’s bank for ${quote(coupon)}. Until it has decided, nothing can be released or refunded.`,
  },
  dispute_won: {
    subject: 'The bank has confirmed a payment',
    buyer: null,
    seller: ({ coupon }) => `The bank has confirmed the payment for ${quote(coupon)}.`,
  },
  dispute_lost: {
    subject: 'The bank has taken a payment back',
    buyer: ({ coupon }) => `Your bank has given you back your payment for ${quote(coupon)}.`,
    seller: ({ coupon }) => `The buyer’s bank has taken back the payment for ${quote(coupon)}.`,
  },
  appeal_won: {
    subject: 'The bank has decided again',
    buyer: ({ coupon }) =>
      `Your bank has withdrawn its decision on your payment for ${quote(coupon)}. We look into it and write to you.`,
    seller: ({ coupon }) =>
      `The buyer’s bank has withdrawn its decision on the payment for ${quote(coupon)}. We look into it and write to you.`,
  },
  partly_refunded: {
    subject: 'A part of a payment was refunded',
    buyer: ({ returned, coupon }) =>
      `You have got ${amountOf(returned)} back for ${quote(coupon)}. The sale stays as it is.`,
    seller: ({ returned, coupon, share }) =>
      `${amountOf(returned)} of the payment for ${quote(coupon)} went back to the buyer. The sale stays as it is; your share is now ${amountOf(share)}.`,
  },
  refund_failed: {
    subject: 'A refund did not arrive',
    buyer: ({ returned, coupon }) =>
      `${amountOf(returned)} that we refunded for ${quote(coupon)} came back from your bank. We look into it.`,
    seller: null,
  },
  payout_reversed: {
    subject: 'A part of a payout was taken back',
    buyer: null,
    seller: ({ reversed, coupon }) =>
      `${amountOf(reversed)} that you were paid for ${quote(coupon)} were taken back, because the buyer has got money back.`,
  },
  payout_failed: {
    subject: 'You could not be paid',
    buyer: null,
    seller: ({ provider, net, coupon }) =>
      `${PROVIDER_NAMES[provider]} could not pay you your ${amountOf(net)} for ${quote(coupon)}. Please sign in there and look at what your account needs. We try again by ourselves.`,
  },
  kept_back: {
    subject: 'A payout was kept back for what you owed',
    buyer: null,
    seller: ({ keptBack, coupon }) =>
      `Your ${amountOf(keptBack)} for ${quote(coupon)} were kept back for what you owed for an earlier sale. Nothing more is paid out for it.`,
  },
  debt: {
    subject: 'The buyer has got money back after you were paid',
    buyer: null,
    seller: ({ provider, coupon, owed }) =>
      provider === 'paypal'
        ? `The buyer of ${quote(coupon)} has got money back after you had been paid. PayPal takes your part, ${amountOf(owed)}, from your account there.`
        : `You owe ${amountOf(owed)} for ${quote(coupon)}: the buyer has got money back after you had been paid, and your balance at Stripe is too low to take it back. We withhold it from your next Stripe payouts.`,
  },
  debt_settled: {
    subject: 'You owe nothing more for a sale',
    buyer: null,
    seller: ({ coupon }) => `You owe nothing more for ${quote(coupon)}.`,
  },
} satisfies Record<string, PaymentTexts>;

/** For moderators, before PayPal pays a seller by itself. @param day '2026-11-25' */
export const CLAIM_REMINDER = {
  subject: 'A claim has to be decided soon',
  text: ({ coupon, day }: { coupon: string; day: string | null }) =>
    `The claim about ${quote(coupon)} is still open. Please decide it before ${day}: then the buyer is refunded, because PayPal would pay the seller by itself.`,
};

/** For sellers, about their payment accounts. */
export const SELLER_TEXTS = {
  buyerWaits: {
    subject: 'A buyer wants to pay you',
    text: ({ buyer, coupon }: { buyer: string; coupon: string }) =>
      `${buyer} wants to pay you for ${quote(coupon)}. Set up a payment account to receive the money.`,
  },
  ready: {
    subject: ({ provider }: { provider: PaymentProviderName }) =>
      `Your ${PROVIDER_NAMES[provider]} account is ready`,
    text: ({ provider }: { provider: PaymentProviderName }) =>
      `Your ${PROVIDER_NAMES[provider]} account is ready: buyers can pay you through it now.`,
  },
  notReady: {
    subject: ({ provider }: { provider: PaymentProviderName }) =>
      `Your ${PROVIDER_NAMES[provider]} account needs your attention`,
    text: ({ provider }: { provider: PaymentProviderName }) =>
      `Your ${PROVIDER_NAMES[provider]} account cannot take payments any more. Please look at what ${PROVIDER_NAMES[provider]} still needs from you.`,
  },
  payoutFailed: {
    subject: 'Your bank returned a payout',
    text: ({ provider, amount, reason }: { provider: PaymentProviderName; amount: Cents; reason: string }) =>
      `Your bank has sent back ${amountOf(amount)} that ${PROVIDER_NAMES[provider]} paid out to you: ${reason} Please correct your bank account at ${PROVIDER_NAMES[provider]}; the money waits there.`,
  },
};

/** What has moved since a sale, on the seller's receipts, by the kind of journal: when the total rises, and when it falls. */
export const SELLER_MOVEMENTS = {
  capture: { rise: 'Sale', fall: 'Sale corrected' },
  provider_fee: { rise: 'Fee of the payment provider', fall: 'Fee returned by the payment provider' },
  refund: { rise: 'Refunded to the buyer', fall: 'Refund failed' },
  withdrawal: { rise: 'Disputed by the buyer’s bank', fall: 'Dispute ended' },
  loss: { rise: 'Taken back by the buyer’s bank', fall: 'Returned by the buyer’s bank' },
  payout: { rise: 'Paid out to you', fall: 'Payout came back' },
  payout_reversal: { rise: 'Payout taken back', fall: 'Payout paid again' },
  offset: { rise: 'Kept back for what you owed', fall: 'Covered by another payout' },
  collection: { rise: 'Taken from your account by PayPal', fall: 'Given back to your account by PayPal' },
  write_off: { rise: 'No longer owed', fall: 'Owed again' },
};

/** The same on the buyer's receipts, which show no other journals. */
export const BUYER_MOVEMENTS = {
  refund: { rise: 'Refunded to you', fall: 'Refund failed' },
  withdrawal: { rise: 'Taken back by your bank', fall: 'Returned to ClipSwap by your bank' },
};
