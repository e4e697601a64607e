import type { Cents } from '#contract/base/money.ts';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { dueToSeller, returnedOf, waitingAward } from '#server/money/books/service.ts';
import { after, type Change, when } from './changes.ts';
import type { LockedPayment, PaymentFacts } from './facts.ts';
import type { PaymentNotice } from './notices.ts';
import type { OperationKind } from './operations-store.ts';
import { saleOf } from './rules.ts';
import type { Payment } from './store.ts';

/** What follows from the way in which the money of a paid payment has moved. */

export interface Movement {
  readonly before: Totals;
  readonly totals: Totals;
  /** The sum of the refunds that have failed so far. */
  readonly refundFailed: Cents;
  readonly isDisputed: boolean;
  /** When the evidence for an open dispute is due. */
  readonly evidenceDueAt: Date | null;
}

/** Updates the sale, opens and ends the operations it needs, and tells people. */
export function decideMovement(facts: PaymentFacts, movement: Movement): Change[] {
  const { bid, payment, at } = facts;
  const { before, totals } = movement;
  const isReturned = isAllBack(totals);
  const isUndone = isReturned || saleOf(payment.status) === 'undone';
  const hasReturned = isReturned && returnedOf(before) < totals.captured;
  const operations = decideOperations(facts, movement, isUndone);
  const status = statusOf(after(facts, operations), totals, isUndone);
  return [
    ...when(hasReturned, ...undoSale(bid)),
    ...operations,
    // Nobody here has ordered it, and the other coupons of the exchange have moved.
    ...when(hasReturned && isMoved(bid) && saleOf(payment.status) !== 'undone', {
      do: 'ask_person',
      why: 'All that was paid in a completed exchange went back from outside',
    }),
    ...updatesOf(payment, movement, status, at),
    ...noticesOf(payment, movement, status, isToPayAgain(bid)).map((notice) => ({
      do: 'notify' as const,
      notice,
      said: {
        ...{ before, totals },
        ...(notice === 'refund_failed' && { failed: failedRefunds(payment, movement) }),
      },
    })),
    { do: 'keep_reserve', isFinal: saleOf(status) === 'final' },
  ];
}

/** The refunds that have just failed: on their way, or after they had reached the buyer. */
const failedRefunds = (payment: Payment, { refundFailed }: Movement): Cents =>
  refundFailed - payment.refundFailed;

const isAllBack = (totals: Totals) => returnedOf(totals) >= totals.captured;

/** A price of an exchange whose coupons have moved, or that waits for its prices. */
const isMoved = ({ exchangeId, status }: LockedPayment['bid']) =>
  exchangeId !== null && status === 'completed';
const isToPayAgain = ({ exchangeId, status }: LockedPayment['bid']) =>
  exchangeId !== null && status === 'accepted';

/** All money is back with the buyer, so the coupon goes back. */
function undoSale({ status, exchangeId }: LockedPayment['bid']): Change[] {
  return [
    // Before the completion somebody has to pay a price again.
    ...when(exchangeId !== null, { do: 'mark_price', isPaid: false }),
    ...when(status === 'completed', { do: 'return_coupon' }),
    ...when(status !== 'completed' && exchangeId === null, { do: 'free_coupon' }),
  ];
}

/** What we have to do at the provider, and what a person has to look at. */
function decideOperations(facts: PaymentFacts, movement: Movement, isUndone: boolean): Change[] {
  const { payment } = facts;
  const { before, totals } = movement;
  const open = new Map(facts.open);
  const changes: Change[] = [];
  const close = (operation: OperationKind) =>
    open.delete(operation) && changes.push({ do: 'close', operation });
  const hurry = (operation: OperationKind) => open.has(operation) && changes.push({ do: 'hurry', operation });
  const ask = (why: string) => changes.push({ do: 'ask_person', why });
  const due = dueToSeller(payment, totals);
  const isReturned = isAllBack(totals);
  if (due <= 0 || isUndone) close('payout');
  const refund = open.get('refund');
  if (refund && returnedOf(totals) >= (refund.target ?? totals.captured)) {
    close('refund');
    // It has waited for the refund.
    hurry('payout');
  }
  const failed = failedRefunds(payment, movement);
  if (failed > 0) {
    // The next one would come back, too.
    const why = `Refunds of ${movement.refundFailed} cents did not reach the buyer`;
    if (!isUndone) {
      close('refund');
      ask(why);
    } else if (!isReturned) changes.push({ do: 'give_up', operation: 'refund', why });
  }
  if (payment.isDisputed && !movement.isDisputed) {
    hurry('payout');
    hurry('refund');
  }
  const left = totals.transferred - totals.reversed;
  // Without an award, the seller owes all of an undone sale before the buyer has got the money back.
  const owed = isUndone && !isReturned && totals.awarded === 0 ? left : Math.min(left, -due);
  if (owed <= 0) close('reversal');
  else if (payment.provider === 'stripe') changes.push({ do: 'open', operation: 'reversal' });
  if (isUndone && totals.lost < before.lost)
    ask('The bank has given back what it had taken; the sale stays undone');
  // The seller has paid a part of what the buyer of a granted late claim waits for.
  if (waitingAward(totals) > 0 && due > dueToSeller(payment, before)) hurry('refund');
  const wasPaidOut = before.transferred > before.reversed;
  if ((!isUndone || isReturned) && wasPaidOut && due > 0)
    ask(`The seller is owed ${due} cents more than was paid out`);
  return changes;
}

/** The status of a paid payment: what became of the sale, and whether its money is where it belongs. */
function statusOf({ payment, open }: PaymentFacts, totals: Totals, isUndone: boolean): PaymentStatus {
  if (isUndone) {
    if (totals.lost > 0 && totals.refunded < totals.captured) return 'charged_back';
    if (isAllBack(totals)) return 'refunded';
    return open.has('refund') ? 'refunding' : payment.status;
  }
  if (saleOf(payment.status) === 'held') return payment.status;
  return open.has('payout') ? 'releasing' : 'completed';
}

const isEnd = (status: PaymentStatus) =>
  status === 'completed' || status === 'refunded' || status === 'charged_back';

function updatesOf(
  payment: Payment,
  { isDisputed, evidenceDueAt, refundFailed }: Movement,
  status: PaymentStatus,
  at: Date,
): Change[] {
  const isEnded = isEnd(status);
  const hasFailed = refundFailed !== payment.refundFailed;
  const isOther =
    status !== payment.status ||
    isDisputed !== payment.isDisputed ||
    isEnded !== (payment.endedAt !== null) ||
    hasFailed ||
    evidenceDueAt?.getTime() !== payment.evidenceDueAt?.getTime();
  if (!isOther) return [];
  const endedAt = isEnded ? (payment.endedAt ?? at) : null;
  const disputedAt = isDisputed === payment.isDisputed ? undefined : isDisputed ? at : null;
  const failed = hasFailed && { refundFailed };
  return [{ do: 'update', set: { status, isDisputed, disputedAt, evidenceDueAt, ...failed, endedAt } }];
}

/** What people are told about a movement. */
function noticesOf(
  payment: Payment,
  movement: Movement,
  status: PaymentStatus,
  isToPay: boolean,
): PaymentNotice[] {
  const { before, totals, isDisputed } = movement;
  const isUndone = saleOf(status) === 'undone';
  const hasLost = totals.lost > before.lost;
  const notices: PaymentNotice[] = [];
  if (isDisputed && !payment.isDisputed && !isUndone) notices.push('disputed');
  if (!isDisputed && payment.isDisputed && !hasLost) notices.push('dispute_won');
  if (failedRefunds(payment, movement) > 0) notices.push('refund_failed');
  if (isUndone && totals.lost < before.lost) notices.push('appeal_won');
  const hasRisen = returnedOf(totals) > returnedOf(before);
  const again: PaymentNotice[] = isToPay ? ['pay_again'] : [];
  if (status === 'charged_back' && hasLost) notices.push('dispute_lost', ...again);
  else if (hasRisen && status === 'refunded') notices.push(isToPay ? 'pay_again' : 'refunded');
  else if (hasRisen && !isUndone) notices.push('partly_refunded');
  else if (hasRisen && waitingAward(totals) > 0) notices.push('late_part_paid');
  if (totals.transferred > before.transferred && !isUndone) notices.push('paid_out');
  if (totals.reversed > before.reversed) notices.push('payout_reversed');
  const isOwed = (of: Totals) => dueToSeller(payment, of) < 0;
  if (payment.provider === 'paypal' && isOwed(totals) && !isOwed(before)) notices.push('debt');
  return notices;
}
