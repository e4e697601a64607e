import type { Cents } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import type { LogAction } from '#contract/people/notifications.ts';
import type { WebhookEvent } from '#contract/people/webhooks.ts';
import type { Trx } from '#server/database/client.ts';
import type { PayableBid } from '#server/deals/bids/service.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { dueToSeller, NO_TOTALS, returnedOf, waitingAward } from '#server/money/books/service.ts';
import { receiptsToMail } from '#server/money/receipts/service.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { PRICE_TEXTS, RETURNED_PRICE_TEXTS } from '#server/texts/leg-prices.ts';
import { PAYMENT_TEXTS } from '#server/texts/money.ts';
import type { StoredText } from '#server/texts/stored.ts';
import type { Payment } from './store.ts';

/** What people are told about a payment; the refund of a completed sale has a text of its own. */
export type PaymentNotice = Exclude<keyof typeof PAYMENT_TEXTS, 'undone' | 'claimed'>;

/** How each notice is kept in the history. */
const LOG_ACTIONS: Record<PaymentNotice, LogAction> = {
  paid: 'payment',
  paid_too_late: 'refund',
  confirmed: 'payment',
  released: 'payment',
  answer_asked: 'updated',
  claim_withdrawn: 'updated',
  claim_refunded: 'refund',
  claim_overdue: 'refund',
  unheard: 'refund',
  exchange_ended: 'refund',
  claim_released: 'payment',
  paid_out: 'payment',
  refund_decided: 'refund',
  refunded: 'refund',
  pay_again: 'refund',
  disputed: 'updated',
  dispute_won: 'payment',
  dispute_lost: 'refund',
  appeal_won: 'updated',
  partly_refunded: 'refund',
  refund_failed: 'refund',
  payout_reversed: 'refund',
  payout_failed: 'updated',
  kept_back: 'payment',
  debt: 'refund',
  debt_settled: 'payment',
  late_claimed: 'updated',
  late_granted: 'refund',
  late_refused: 'updated',
  late_part_paid: 'refund',
};

/** What programs are told of each notice; of the others nothing. */
const EVENTS: Partial<Record<PaymentNotice, WebhookEvent>> = {
  paid: 'payment.paid',
  confirmed: 'payment.final',
  released: 'payment.final',
  answer_asked: 'claim.opened',
  claim_withdrawn: 'claim.withdrawn',
  claim_refunded: 'claim.decided',
  claim_overdue: 'claim.decided',
  claim_released: 'claim.decided',
  paid_out: 'payout.paid',
  refunded: 'payment.refunded',
  pay_again: 'payment.refunded',
  partly_refunded: 'payment.refunded',
  disputed: 'payment.disputed',
  payout_failed: 'payout.failed',
  late_claimed: 'claim.opened',
  late_granted: 'claim.decided',
  late_refused: 'claim.decided',
  appeal_won: 'claim.decided',
};

/** The notices that ask the seller for their word. */
const CLAIMED: ReadonlySet<PaymentNotice> = new Set(['answer_asked', 'late_claimed']);

/** What has just moved, in cents; the seller's whole share; what was kept back from it, and what the seller owes. */
interface Sums {
  readonly returned: Cents;
  readonly paidOut: Cents;
  readonly reversed: Cents;
  readonly share: Cents;
  readonly keptBack: Cents;
  readonly owed: Cents;
  /** What the buyer of a granted late claim still gets. */
  readonly waiting: Cents;
}

function sumsOf(payment: Payment, { before, totals }: { before: Totals; totals: Totals }): Sums {
  return {
    returned: returnedOf(totals) - returnedOf(before),
    paidOut: totals.transferred - before.transferred,
    reversed: totals.reversed - before.reversed,
    share: dueToSeller(payment, totals) + totals.transferred - totals.reversed,
    keptBack: totals.offset,
    owed: -dueToSeller(payment, totals),
    waiting: waitingAward(totals),
  };
}

/** What a notice says beside the payment. */
export interface Said {
  /** How the money has moved; by default not at all. */
  readonly before?: Totals;
  readonly totals?: Totals;
  /** The refunds that have just failed. */
  readonly failed?: Cents;
  /** The words of whoever decided. */
  readonly note?: string | undefined;
}

/**
 * Writes the history of the parties that there are words for, and notifies them. Programs of both are told what both see of
 * their deal; a payout that failed is the seller's business alone.
 */
export async function notifyOfPayment(
  trx: Trx,
  { bid, payment }: { bid: PayableBid; payment: Payment },
  what: PaymentNotice,
  at: Date,
  { before = NO_TOTALS, totals = NO_TOTALS, failed = 0, note }: Said = {},
): Promise<void> {
  const isUndone = what === 'refunded' && bid.status === 'completed';
  const key = isUndone ? 'undone' : what;
  const ofPrice = (bid.status === 'completed' && RETURNED_PRICE_TEXTS[key]) || PRICE_TEXTS[key];
  const texts = (bid.exchangeId !== null && ofPrice) || PAYMENT_TEXTS[key];
  const facts = {
    coupon: bid.couponTitle,
    buyer: bid.bidderUsername,
    provider: payment.provider,
    total: payment.buyerTotal,
    net: payment.netAmount,
    ...sumsOf(payment, { before, totals }),
    ...(what === 'refund_failed' && { returned: failed }),
    note: note ?? null,
    payBy: bid.deadlineAt?.toISOString() ?? null,
  };
  const receipts = what === 'paid' ? await receiptsToMail(trx, payment.id) : null;
  const deal: DealRef =
    bid.exchangeId === null
      ? { dealType: 'bid', dealId: bid.id }
      : { dealType: 'exchange', dealId: bid.exchangeId };
  const toAnswer = CLAIMED.has(what)
    ? paths.answerClaim(deal.dealType, deal.dealId, bid.couponId)
    : undefined;
  const party = (
    userId: number,
    text: ((of: typeof facts) => StoredText) | null,
    more: { receipt?: Receipt | undefined; link?: string | undefined },
  ) => (text === null ? [] : [{ userId, text: text(facts), ...more }]);
  const event = EVENTS[what] ?? null;
  await notifyParties(trx, [
    {
      deal,
      parties: [
        ...party(payment.senderId, texts.buyer, { receipt: receipts?.receipt }),
        ...party(payment.receiverId, texts.seller, { receipt: receipts?.statement, link: toAnswer }),
      ],
      actorId: null,
      action: LOG_ACTIONS[what],
      event,
      programsOf: event === 'payout.failed' ? [payment.receiverId] : [payment.senderId, payment.receiverId],
      data: { couponIds: [bid.couponId], ...(!event?.startsWith('claim') && { paymentId: payment.id }) },
      about: { paymentId: payment.id, couponId: bid.couponId },
      mailSubject: texts.subject(),
      at,
    },
  ]);
}
