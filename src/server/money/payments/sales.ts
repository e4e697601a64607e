import type { PaymentStatus } from '#contract/money/payments.ts';
import type { Context } from '#server/context/context.ts';
import { releaseReservation } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { lockPayableBid, type PayableBid, returnCoupon, setPricePaidAt } from '#server/deals/bids/service.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { dueToSeller, keepReserve, returnedOf, waitingAward } from '#server/money/books/service.ts';
import { notifyOfPayment, type PaymentNotice } from './notices.ts';
import {
  askPerson,
  changeOperation,
  closeOperation,
  findOperation,
  openOperation,
} from './operations-store.ts';
import { saleOf } from './rules.ts';
import * as store from './store.ts';

/** A locked payment and its locked bid. */
export interface LockedPayment {
  readonly bid: PayableBid;
  readonly payment: store.Payment;
}

/**
 * Locks a payment's coupon, bid and row, in this order, and reads bid and payment.
 * @param others payments to lock too, without their deals
 */
export async function lockPaymentWithDeal(
  trx: Trx,
  paymentId: number,
  others: readonly number[] = [],
): Promise<LockedPayment> {
  const found = await store.findPayment(trx, paymentId);
  if (!found) throw new Error(`Payment ${paymentId} is gone`);
  const bid = await lockPayableBid(trx, found.bidId);
  let payment = found;
  for (const id of [...others, paymentId].sort((a, b) => a - b)) {
    const locked = await store.lockPayment(trx, id);
    if (id === paymentId) payment = locked;
  }
  return { bid, payment };
}

/** How the money of a paid payment has moved. */
export interface Movement {
  readonly before: Totals;
  readonly totals: Totals;
  readonly isDisputed: boolean;
  /** When the evidence for an open dispute is due. */
  readonly evidenceDueAt: Date | null;
  readonly at: Date;
}

/** Follows the money of a paid sale: updates the sale, opens the operations it needs, and notifies people. */
export async function followMoney(
  trx: Trx,
  ctx: Context,
  locked: LockedPayment,
  movement: Movement,
): Promise<void> {
  const { payment } = locked;
  const { totals, isDisputed, evidenceDueAt, at } = movement;
  const isReturned = returnedOf(totals) >= totals.captured;
  const isUndone = isReturned || saleOf(payment.status) === 'undone';
  if (isReturned && returnedOf(movement.before) < totals.captured) await undoSale(trx, ctx, locked.bid, at);
  await setOperations(trx, payment, movement, isUndone);
  const status = await statusOf(trx, payment, movement, isUndone);
  const isEnded = status === 'completed' || status === 'refunded' || status === 'charged_back';
  const wasEnded = payment.endedAt !== null;
  const isDue = evidenceDueAt?.getTime() !== payment.evidenceDueAt?.getTime();
  if (status !== payment.status || isDisputed !== payment.isDisputed || isEnded !== wasEnded || isDue) {
    const endedAt = isEnded ? (payment.endedAt ?? at) : null;
    const disputedAt = isDisputed === payment.isDisputed ? undefined : isDisputed ? at : null;
    const change = { status, isDisputed, disputedAt, evidenceDueAt, endedAt };
    await store.updatePayment(trx, payment, change, at);
  }
  for (const notice of noticesOf(payment, movement, status)) {
    await notifyOfPayment(trx, locked, notice, at, { before: movement.before, totals });
  }
  await keepReserve(trx, { payment, isFinal: saleOf(status) === 'final', at });
}

/** Opens and ends what we have to do at the provider. */
async function setOperations(trx: Trx, payment: store.Payment, movement: Movement, isUndone: boolean) {
  const { before, totals, at } = movement;
  const due = dueToSeller(payment, totals);
  const isReturned = returnedOf(totals) >= totals.captured;
  if (due <= 0 || isUndone) await closeOperation(trx, payment.id, 'payout', at);
  const refund = await findOperation(trx, payment.id, 'refund');
  if (refund && returnedOf(totals) >= (refund.target ?? totals.captured)) {
    await closeOperation(trx, payment.id, 'refund', at);
    // It has waited for the refund.
    await changeOperation(trx, payment.id, 'payout', { nextTryAt: at });
  }
  if (totals.refunded < before.refunded) {
    // A refund that had reached the buyer has come back. Of an undone sale the seller has the coupon.
    const failed = before.refunded - totals.refunded;
    if (isUndone && !isReturned) await openOperation(trx, payment, 'refund', at);
    else if (!isUndone)
      await askPerson(trx, payment, `A refund of ${failed} cents did not reach the buyer`, at);
  }
  if (payment.isDisputed && !movement.isDisputed) {
    for (const kind of ['payout', 'refund'] as const)
      await changeOperation(trx, payment.id, kind, { nextTryAt: at });
  }
  const left = totals.transferred - totals.reversed;
  // Without an award, the seller owes all of an undone sale before the buyer has got the money back.
  const owed = isUndone && !isReturned && totals.awarded === 0 ? left : Math.min(left, -due);
  if (owed <= 0) await closeOperation(trx, payment.id, 'reversal', at);
  else if (payment.provider === 'stripe') await openOperation(trx, payment, 'reversal', at);
  if (isUndone && totals.lost < before.lost) {
    await askPerson(trx, payment, 'The bank has given back what it had taken; the sale stays undone', at);
  }
  // The seller has paid a part of what the buyer of a granted late claim waits for.
  if (waitingAward(totals) > 0 && due > dueToSeller(payment, before))
    await changeOperation(trx, payment.id, 'refund', { nextTryAt: at });
  const isPaidBefore = before.transferred > before.reversed;
  if ((!isUndone || isReturned) && isPaidBefore && due > 0) {
    await askPerson(trx, payment, `The seller is owed ${due} cents more than was paid out`, at);
  }
}

/** The status of a paid payment: what became of the sale, and whether its money is where it belongs. */
async function statusOf(
  trx: Trx,
  payment: store.Payment,
  { totals }: Movement,
  isUndone: boolean,
): Promise<PaymentStatus> {
  if (isUndone) {
    if (totals.lost > 0 && totals.refunded < totals.captured) return 'charged_back';
    if (returnedOf(totals) >= totals.captured) return 'refunded';
    const isRefunding = (await findOperation(trx, payment.id, 'refund')) !== null;
    return isRefunding ? 'refunding' : payment.status;
  }
  if (saleOf(payment.status) === 'held') return payment.status;
  return (await findOperation(trx, payment.id, 'payout')) === null ? 'completed' : 'releasing';
}

/** All money is back with the buyer, so the coupon goes back. */
async function undoSale(trx: Trx, ctx: Context, bid: LockedPayment['bid'], at: Date): Promise<void> {
  // Before the completion somebody has to pay a price again.
  if (bid.exchangeId !== null) await setPricePaidAt(trx, bid.id, null, at);
  if (bid.status === 'completed') await returnCoupon(trx, ctx, bid, at);
  else if (bid.exchangeId === null) await releaseReservation(trx, { bidId: bid.id });
}

/** What people are told about a movement. */
function noticesOf(payment: store.Payment, movement: Movement, status: PaymentStatus): PaymentNotice[] {
  const { before, totals, isDisputed } = movement;
  const isUndone = saleOf(status) === 'undone';
  const wasUndone = saleOf(payment.status) === 'undone';
  const hasLost = totals.lost > before.lost;
  const notices: PaymentNotice[] = [];
  if (isDisputed && !payment.isDisputed && !isUndone) notices.push('disputed');
  if (!isDisputed && payment.isDisputed && !hasLost) notices.push('dispute_won');
  if (totals.refunded < before.refunded) notices.push('refund_failed');
  if (isUndone && totals.lost < before.lost) notices.push('appeal_won');
  const hasRisen = returnedOf(totals) > returnedOf(before);
  if (status === 'charged_back' && hasLost) notices.push('dispute_lost');
  else if (hasRisen && status === 'refunded') notices.push('refunded');
  else if (hasRisen && !isUndone) notices.push('partly_refunded');
  else if (hasRisen && waitingAward(totals) > 0) notices.push('late_part_paid');
  const isPaidOut = totals.transferred > before.transferred;
  if (isPaidOut && !isUndone && !wasUndone) notices.push('paid_out');
  if (totals.reversed > before.reversed) notices.push('payout_reversed');
  const isOwed = (of: Totals) => dueToSeller(payment, of) < 0;
  if (payment.provider === 'paypal' && isOwed(totals) && !isOwed(before)) notices.push('debt');
  return notices;
}
