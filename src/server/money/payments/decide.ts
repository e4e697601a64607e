import type { Cents } from '#contract/base/money.ts';
import { dueToSeller, NO_TOTALS, returnedOf } from '#server/money/books/service.ts';
import type { PaymentState } from '#server/providers/payments.ts';
import { after, type Change, when } from './changes.ts';
import { decideMovement } from './decide-movement.ts';
import type { PaymentFacts } from './facts.ts';
import { isDuplicate, isOutdated, mismatchOf, totalsOf, wrongPayout } from './reports.ts';
import {
  holdUntil,
  isCommitted,
  isGivenUp,
  isPayable,
  isUnsettled,
  nextTry,
  saleOf,
  unsettledStatus,
} from './rules.ts';

/** What can happen to a payment. `note`: the words of whoever decided. */
export type Happening =
  /** Its provider has told how it stands. */
  | { readonly what: 'reported'; readonly state: PaymentState }
  /** The sale is final: the seller gets the money. */
  | {
      readonly what: 'final';
      readonly notice: 'confirmed' | 'released' | 'claim_released';
      readonly note?: string;
    }
  /** The buyer gets all of the money back, and the seller the coupon. */
  | {
      readonly what: 'undone';
      readonly notice: 'claim_refunded' | 'claim_overdue' | 'unheard' | 'exchange_ended';
      readonly note?: string;
    }
  /** A claim about a final sale is granted: the buyer is owed all that they paid, and the seller owes what they got. */
  | { readonly what: 'awarded'; readonly note: string }
  | { readonly what: 'claimed'; readonly notice: 'answer_asked' | 'late_claimed' }
  /** A claim has ended and changes nothing. */
  | {
      readonly what: 'claim_ended';
      readonly notice: 'claim_withdrawn' | 'late_refused' | null;
      readonly note?: string;
    }
  /** An admin refunds an amount, in cents, or all that is left. */
  | { readonly what: 'refund_ordered'; readonly amount: Cents; readonly note: string }
  /** Nothing follows by itself: a person has to look at it. */
  | { readonly what: 'unclear'; readonly why: string };

/** What follows from what has happened to a payment, in the order in which it is written. */
export function decide(facts: PaymentFacts, happening: Happening): Change[] {
  switch (happening.what) {
    case 'reported':
      return decideReport(facts, happening.state);
    case 'final':
      return decideFinal(facts, happening);
    case 'undone':
      return decideUndone(facts, happening);
    case 'awarded':
      return decideAward(facts, happening.note);
    case 'claimed':
      return [{ do: 'notify', notice: happening.notice }];
    case 'claim_ended':
      return decideClaimEnd(facts, happening);
    case 'refund_ordered':
      return decideRefund(facts, happening);
    case 'unclear':
      return [{ do: 'ask_person', why: happening.why }];
  }
}

/**
 * An unpaid payment only moves forward. For a paid one, the ledger books the difference between the provider's totals and
 * what is booked. A report with another amount, currency or receiver is not applied: a person has to look at it.
 */
function decideReport(facts: PaymentFacts, state: PaymentState): Change[] {
  const { payment, bid, booked, payoutAsked, at } = facts;
  if (isDuplicate(payment, state) || isOutdated(payment, state, booked)) return [];
  const mismatch = mismatchOf(payment, state) ?? wrongPayout(payment, state, booked, payoutAsked);
  if (mismatch !== null) {
    const nextTryAt = isUnsettled(payment.status) ? nextTry(10, at) : undefined;
    return [
      { do: 'update', set: { details: mismatch, nextTryAt } },
      { do: 'ask_person', why: mismatch },
    ];
  }
  const named = when(payment.ref === null, { do: 'update', set: { ref: state.ref } });
  if (state.status !== 'succeeded') return [...named, ...decideUnpaid(facts, state.status)];
  const paid = decidePaid(facts, state);
  const totals = totalsOf(payment, state, booked);
  const hasOtherFee = totals.providerFees !== booked.providerFees;
  const { isDisputed, evidenceDueAt } = state;
  const refundFailed = Math.max(payment.refundFailed, state.totals.refundFailed);
  return [
    ...named,
    ...paid,
    { do: 'book', totals },
    ...when(hasOtherFee, { do: 'update', set: { providerFee: totals.providerFees } }),
    ...decideMovement(after(facts, paid), {
      ...{ before: booked, totals, refundFailed, isDisputed, evidenceDueAt },
    }),
    ...when(bid.exchangeId !== null, { do: 'complete_exchange_if_paid' }),
  ];
}

/** Follows the provider's status of an unpaid payment, forward only. */
function decideUnpaid(
  { payment, at }: PaymentFacts,
  provider: Exclude<PaymentState['status'], 'succeeded'>,
): Change[] {
  // The buyer's browser captures at once; if it is gone, we do.
  const isToCapture = provider === 'approved' && isPayable(payment.status);
  const status = unsettledStatus(payment.status, provider);
  const isOver = isGivenUp(status);
  const set = { status, endedAt: isOver ? at : undefined, nextTryAt: isOver ? null : nextTry(1, at) };
  return [
    ...when(isCommitted(provider), { do: 'note_begun' }),
    ...when(isToCapture, { do: 'open', operation: 'capture', at: nextTry(1, at) }),
    ...when(status !== payment.status, { do: 'update', set }),
  ];
}

/** The first success: the sale is completed, or a refund begins if there is nothing to pay for. */
function decidePaid({ bid, payment, open, at }: PaymentFacts, state: PaymentState): Change[] {
  if (!isUnsettled(payment.status) && !isGivenUp(payment.status)) return [];
  const isDue = bid.status === 'accepted' && !isGivenUp(payment.status);
  // The hold of a price begins when the exchange is completed.
  const isSale = bid.exchangeId === null;
  const paid = { chargeRef: state.chargeRef ?? state.ref, paidAt: at, endedAt: null, nextTryAt: null };
  const hold = isDue && isSale && { holdUntil: holdUntil(at) };
  return [
    { do: 'update', set: { status: isDue ? 'held' : 'refunding', ...paid, ...hold } },
    ...when(open.has('capture'), { do: 'close', operation: 'capture' }),
    ...when(!isDue, { do: 'open', operation: 'refund' }),
    ...when(isDue, isSale ? { do: 'complete_sale' } : { do: 'mark_price', isPaid: true }),
    // Locks the person, so it comes after the deal.
    ...(state.keptCard ? [{ do: 'keep_card', card: state.keptCard } as const] : []),
    { do: 'notify', notice: isDue ? 'paid' : 'paid_too_late' },
  ];
}

/**
 * Frees the coupon, releases the seller's money and fills the reserve. While the buyer's bank disputes the payment, only its
 * hold ends: the job releases it as soon as the bank confirms the payment.
 */
function decideFinal(
  { bid, payment, at }: PaymentFacts,
  { notice, note }: Extract<Happening, { what: 'final' }>,
): Change[] {
  const told: Change = { do: 'notify', notice, said: { note } };
  const confirmed = notice === 'confirmed' && { confirmedAt: at };
  if (payment.isDisputed) return [{ do: 'update', set: { holdUntil: at, ...confirmed } }, told];
  return [
    { do: 'update', set: { status: 'releasing', ...confirmed } },
    { do: 'open', operation: 'payout' },
    ...when(bid.exchangeId === null, { do: 'free_coupon' }),
    told,
    { do: 'keep_reserve', isFinal: true },
  ];
}

/** Money goes back only with the coupon (decisions 3.21). An exchange that was not completed has moved none. */
function decideUndone(
  { bid }: PaymentFacts,
  { notice, note }: Extract<Happening, { what: 'undone' }>,
): Change[] {
  return [
    ...when(bid.status === 'completed', { do: 'hold_coupon' }),
    { do: 'update', set: { status: 'refunding', endedAt: null } },
    { do: 'open', operation: 'refund' },
    { do: 'notify', notice, said: { note } },
  ];
}

/** What the seller was paid, they owe; the provider is asked for it first. */
function decideAward({ payment, booked: before }: PaymentFacts, note: string): Change[] {
  const totals = { ...before, awarded: before.captured };
  const isReversible = payment.provider === 'stripe' && dueToSeller(payment, totals) < 0;
  return [
    { do: 'hold_coupon' },
    { do: 'update', set: { status: 'refunding', endedAt: null } },
    { do: 'book', totals },
    ...when(isReversible, { do: 'open', operation: 'reversal' }),
    { do: 'open', operation: 'refund' },
    { do: 'notify', notice: 'late_granted', said: { before, totals, note } },
    { do: 'keep_reserve', isFinal: false },
  ];
}

/** Frees the coupon, unless its money is held, or goes back, anyway. */
function decideClaimEnd(
  { bid, payment }: PaymentFacts,
  { notice, note }: Extract<Happening, { what: 'claim_ended' }>,
): Change[] {
  const isHeld = bid.exchangeId === null && payment.status === 'held';
  return [
    ...when(!isHeld && saleOf(payment.status) !== 'undone', { do: 'free_coupon' }),
    ...(notice === null ? [] : [{ do: 'notify', notice, said: { note } } as const]),
  ];
}

/** A part lowers what the seller gets, or takes it back; all of it undoes the sale. */
function decideRefund(
  { bid, payment, booked }: PaymentFacts,
  { amount, note }: Extract<Happening, { what: 'refund_ordered' }>,
): Change[] {
  const target = returnedOf(booked) + amount;
  const isAll = target >= booked.captured;
  const isSold = bid.status === 'completed' && saleOf(payment.status) !== 'undone';
  return [
    ...when(isAll && isSold, { do: 'hold_coupon' }),
    ...when(isAll, { do: 'update', set: { status: 'refunding', endedAt: null } }),
    { do: 'open', operation: 'refund', target: isAll ? null : target },
    {
      do: 'notify',
      notice: 'refund_decided',
      said: { totals: { ...NO_TOTALS, refunded: amount }, note },
    },
  ];
}
