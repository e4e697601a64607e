import type { DealStatus } from '#contract/deals.ts';
import { type Cents, centsToDecimal } from '#contract/money.ts';
import type { LogAction } from '#contract/notifications.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import { PROVIDER_NAMES } from '#contract/sellers.ts';
import { quote } from '#contract/words.ts';
import type { Trx } from '#server/database/client.ts';
import { claimOfSale } from '../claims/service.ts';
import { dueToSeller, NO_TOTALS, returnedOf, type Totals } from '../ledger/service.ts';
import { type MailedPaper, notifyParties } from '../notifications/service.ts';
import type { LockedPayment } from './locking.ts';
import { papersToMail } from './papers.ts';
import type { Payment } from './store.ts';

/** What people are told about a payment. */
export type PaymentNotice =
  | 'paid'
  | 'paid_too_late'
  | 'confirmed'
  | 'released'
  | 'claimed'
  | 'claim_withdrawn'
  | 'claim_refunded'
  | 'claim_overdue'
  | 'unheard'
  | 'claim_released'
  | 'paid_out'
  | 'payout_failed'
  | 'refund_decided'
  | 'refunded'
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost'
  | 'appeal_won'
  | 'partly_refunded'
  | 'refund_failed'
  | 'payout_reversed'
  | 'kept_back'
  | 'debt'
  | 'debt_settled';

interface Texts {
  readonly action: LogAction;
  readonly mailSubject: string;
  /** Null when this party is not notified. */
  readonly buyer: string | null;
  readonly seller: string | null;
}

/**
 * The sentences about what has happened.
 * @param sums what has just moved, and what the seller still receives
 * @param note the moderator's or admin's, if there is one
 */
function textsOf(
  what: PaymentNotice,
  bid: { couponTitle: string; bidderUsername: string; status: DealStatus },
  payment: Pick<Payment, 'buyerTotal' | 'netAmount' | 'provider'>,
  sums: Sums,
  note: string | null,
): Texts {
  const coupon = quote(bid.couponTitle);
  const [total, net] = [inWords(payment.buyerTotal), inWords(payment.netAmount)];
  const why = note === null ? '' : ` A moderator writes: ${quote(note)}`;
  const texts: Record<PaymentNotice, Texts> = {
    paid: {
      action: 'payment',
      mailSubject: 'Your payment is protected',
      buyer: `You paid ${total} for ${coupon}. Try the code: the seller’s money is held for ${HOLD_HOURS} hours.`,
      seller: `${bid.bidderUsername} paid for ${coupon}. Your ${net} are held for ${HOLD_HOURS} hours while they try the code.`,
    },
    paid_too_late: {
      action: 'refund',
      mailSubject: 'Your payment goes back to you',
      buyer: `Your payment of ${total} for ${coupon} came when it was no longer for sale. All of it goes back to you.`,
      seller: null,
    },
    confirmed: {
      action: 'payment',
      mailSubject: 'Your sale is final',
      buyer: null,
      seller: `${bid.bidderUsername} confirmed that the code of ${coupon} works. Your ${net} are on their way.`,
    },
    released: {
      action: 'payment',
      mailSubject: 'Your sale is final',
      buyer: `The ${HOLD_HOURS} hours for ${coupon} are over, and the sale is final.`,
      seller: `The ${HOLD_HOURS} hours for ${coupon} are over. Your ${net} are on their way.`,
    },
    claimed: {
      action: 'updated',
      mailSubject: 'A buyer says that a code does not work',
      buyer: null,
      seller: `${bid.bidderUsername} says that the code of ${coupon} does not work. A moderator will decide; your ${net} stay held.`,
    },
    claim_withdrawn: {
      action: 'updated',
      mailSubject: 'A claim was withdrawn',
      buyer: null,
      seller: `${bid.bidderUsername} withdrew their claim about ${coupon}.`,
    },
    claim_refunded: {
      action: 'refund',
      mailSubject: 'Your claim was decided',
      buyer: `Your claim about ${coupon} was granted: ${total} go back to you.${why}`,
      seller: `The claim about ${coupon} was granted: the buyer gets their money back, and you the coupon.${why}`,
    },
    claim_overdue: {
      action: 'refund',
      mailSubject: 'Your claim was decided',
      buyer: `Nobody decided your claim about ${coupon} in time, so it is granted: ${total} go back to you.`,
      seller: `Nobody decided the claim about ${coupon} in time, so it is granted: the buyer gets their money back, and you the coupon.`,
    },
    unheard: {
      action: 'refund',
      mailSubject: 'Your payment goes back to you',
      buyer: `You could not be asked whether the code of ${coupon} works, so ${total} go back to you.`,
      seller: `The buyer of ${coupon} could not be asked in time whether the code works: they get their money back, and you the coupon.`,
    },
    claim_released: {
      action: 'payment',
      mailSubject: 'A claim was decided',
      buyer: `Your claim about ${coupon} was not granted, and the sale is final.${why}`,
      seller: `The claim about ${coupon} was not granted. Your ${net} are released.${why}`,
    },
    paid_out: {
      action: 'payment',
      mailSubject: 'You have been paid',
      buyer: null,
      seller: `You have been paid ${inWords(sums.paidOut)} for ${coupon}.${sums.keptBack > 0 ? ` ${inWords(sums.keptBack)} were kept back for what you owed for an earlier sale.` : ''}`,
    },
    refund_decided: {
      action: 'refund',
      mailSubject: 'A refund was decided',
      buyer: `We refund you ${inWords(sums.returned)} for ${coupon}: ${quote(note ?? '')}`,
      seller: `We refund the buyer of ${coupon} ${inWords(sums.returned)}: ${quote(note ?? '')}`,
    },
    refunded: {
      action: 'refund',
      mailSubject: 'Your refund',
      buyer: `You have been refunded ${total} for ${coupon}.`,
      seller:
        bid.status === 'completed'
          ? `The sale of ${coupon} was undone: the coupon is yours again, and not listed.`
          : null,
    },
    disputed: {
      action: 'updated',
      mailSubject: 'A payment is questioned by the bank',
      buyer: `Your bank questions your payment for ${coupon}. Until it has decided, nothing can be released or refunded.`,
      seller: `The buyer’s bank questions the payment for ${coupon}. Until it has decided, nothing can be released or refunded.`,
    },
    dispute_won: {
      action: 'payment',
      mailSubject: 'The bank has confirmed a payment',
      buyer: null,
      seller: `The bank has confirmed the payment for ${coupon}.`,
    },
    dispute_lost: {
      action: 'refund',
      mailSubject: 'The bank has taken a payment back',
      buyer: `Your bank has given you back your payment for ${coupon}.`,
      seller: `The buyer’s bank has taken back the payment for ${coupon}.`,
    },
    appeal_won: {
      action: 'updated',
      mailSubject: 'The bank has decided again',
      buyer: `Your bank has withdrawn its decision on your payment for ${coupon}. We look into it and write to you.`,
      seller: `The buyer’s bank has withdrawn its decision on the payment for ${coupon}. We look into it and write to you.`,
    },
    partly_refunded: {
      action: 'refund',
      mailSubject: 'A part of a payment was refunded',
      buyer: `You have got ${inWords(sums.returned)} back for ${coupon}. The sale stays as it is.`,
      seller: `${inWords(sums.returned)} of the payment for ${coupon} went back to the buyer. The sale stays as it is; your share is now ${inWords(sums.share)}.`,
    },
    refund_failed: {
      action: 'refund',
      mailSubject: 'A refund did not arrive',
      buyer: `${inWords(sums.returned)} that we refunded for ${coupon} came back from your bank. We look into it.`,
      seller: null,
    },
    payout_reversed: {
      action: 'refund',
      mailSubject: 'A part of a payout was taken back',
      buyer: null,
      seller: `${inWords(sums.reversed)} that you were paid for ${coupon} were taken back, because the buyer has got money back.`,
    },
    payout_failed: {
      action: 'updated',
      mailSubject: 'You could not be paid',
      buyer: null,
      seller: `${PROVIDER_NAMES[payment.provider]} could not pay you your ${net} for ${coupon}. Please sign in there and look at what your account needs. We try again by ourselves.`,
    },
    kept_back: {
      action: 'payment',
      mailSubject: 'A payout was kept back for what you owed',
      buyer: null,
      seller: `Your ${inWords(sums.keptBack)} for ${coupon} were kept back for what you owed for an earlier sale. Nothing more is paid out for it.`,
    },
    debt: {
      action: 'refund',
      mailSubject: 'The buyer has got money back after you were paid',
      buyer: null,
      seller:
        payment.provider === 'paypal'
          ? `The buyer of ${coupon} has got money back after you had been paid. PayPal takes your part, ${inWords(sums.owed)}, from your account there.`
          : `You owe ${inWords(sums.owed)} for ${coupon}: the buyer has got money back after you had been paid, and your balance at Stripe is too low to take it back. It is kept back from your next payouts by Stripe.`,
    },
    debt_settled: {
      action: 'payment',
      mailSubject: 'You owe nothing more for a sale',
      buyer: null,
      seller: `You owe nothing more for ${coupon}.`,
    },
  };
  return texts[what];
}

/** What has just moved, in cents; the seller's whole share; what was kept back from it, and what the seller owes. */
interface Sums {
  readonly returned: Cents;
  readonly paidOut: Cents;
  readonly reversed: Cents;
  readonly share: Cents;
  readonly keptBack: Cents;
  readonly owed: Cents;
}

function sumsOf(payment: Payment, { before, totals }: { before: Totals; totals: Totals }): Sums {
  return {
    returned: returnedOf(totals) - returnedOf(before),
    paidOut: totals.transferred - before.transferred,
    reversed: totals.reversed - before.reversed,
    share: dueToSeller(payment, totals) + totals.transferred - totals.reversed,
    keptBack: totals.offset,
    owed: -dueToSeller(payment, totals),
  };
}

function inWords(cents: Cents): string {
  return `$${centsToDecimal(Math.abs(cents))} CAD`;
}

const UNMOVED = { before: NO_TOTALS, totals: NO_TOTALS };

/** Writes the history of the parties that there are words for, and notifies them. @param reason by default the claim's note */
export async function notifyOfPayment(
  trx: Trx,
  { bid, payment }: LockedPayment,
  what: PaymentNotice,
  at: Date,
  moved: { before: Totals; totals: Totals } = UNMOVED,
  reason?: string,
): Promise<void> {
  const note = reason ?? (await claimOfSale(trx, payment.id))?.note ?? null;
  const texts = textsOf(what, bid, payment, sumsOf(payment, moved), note);
  const papers = what === 'paid' ? await papersToMail(trx, payment.id) : null;
  const party = (userId: number, text: string | null, paper?: MailedPaper) =>
    text === null ? [] : [{ userId, text, paper }];
  await notifyParties(trx, [
    {
      deal: { dealType: 'bid', dealId: bid.id },
      parties: [
        ...party(payment.senderId, texts.buyer, papers?.receipt),
        ...party(payment.receiverId, texts.seller, papers?.statement),
      ],
      actorId: null,
      action: texts.action,
      about: { paymentId: payment.id, couponId: bid.couponId },
      mailSubject: texts.mailSubject,
      at,
    },
  ]);
}
