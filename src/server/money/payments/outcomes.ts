import { t } from '@lingui/core/macro';
import { AppError } from '#server/core/errors.ts';
import { releaseReservation } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { holdForReturn, releaseReturn } from '#server/deals/bids/service.ts';
import { bookTotals, dueToSeller, keepReserve, readTotals } from '#server/money/books/service.ts';
import { notifyOfPayment } from './notices.ts';
import { openOperation } from './operations-store.ts';
import { saleOf } from './rules.ts';
import type { LockedPayment } from './sales.ts';
import { updatePayment } from './store.ts';

/* The two outcomes of what was paid: the sale is final, or undone. Others decide which, and these functions move the money. */

/** An outcome, as it is told. */
interface Told<Notice> {
  readonly notice: Notice;
  /** The words of whoever decided. */
  readonly note?: string;
  readonly at: Date;
}

/**
 * Makes the sale final: frees the coupon, releases the seller's money and fills the reserve. While the buyer's bank disputes
 * the payment, only its hold ends: the job releases it as soon as the bank confirms the payment.
 */
export async function release(
  trx: Trx,
  locked: LockedPayment,
  { notice, note, at }: Told<'confirmed' | 'released' | 'claim_released'>,
): Promise<void> {
  const { bid, payment } = locked;
  if (payment.isDisputed) {
    await updatePayment(trx, payment, { holdUntil: at }, at);
    await notifyOfPayment(trx, locked, notice, at, { note });
    return;
  }
  await updatePayment(trx, payment, { status: 'releasing' }, at);
  await openOperation(trx, payment, 'payout', at);
  await releaseReservation(trx, { bidId: bid.id });
  await notifyOfPayment(trx, locked, notice, at, { note });
  await keepReserve(trx, { payment, isFinal: true, at });
}

/**
 * Undoes what was bought: the buyer is refunded, and the coupon goes back with the money.
 * @throws AppError payment_changed when the buyer no longer has it
 */
export async function undo(
  trx: Trx,
  locked: LockedPayment,
  { notice, note, at }: Told<'claim_refunded' | 'claim_overdue' | 'unheard' | 'exchange_ended'>,
): Promise<void> {
  if (locked.bid.status === 'completed') await checkReturnable(trx, locked, at);
  await updatePayment(trx, locked.payment, { status: 'refunding', endedAt: null }, at);
  await openOperation(trx, locked.payment, 'refund', at);
  await notifyOfPayment(trx, locked, notice, at, { note });
}

/**
 * Undoes a final sale: the buyer is owed all that they paid. What the seller was paid, they owe; the provider is asked for it
 * first.
 * @throws AppError payment_changed when the buyer no longer has the coupon
 */
export async function undoFinal(
  trx: Trx,
  locked: LockedPayment,
  { note, at }: { note: string; at: Date },
): Promise<void> {
  const { payment } = locked;
  await checkReturnable(trx, locked, at);
  const before = await readTotals(trx, payment.id);
  const totals = { ...before, awarded: before.captured };
  await updatePayment(trx, payment, { status: 'refunding', endedAt: null }, at);
  await bookTotals(trx, { payment, totals, at });
  if (payment.provider === 'stripe' && dueToSeller(payment, totals) < 0)
    await openOperation(trx, payment, 'reversal', at);
  await openOperation(trx, payment, 'refund', at);
  await notifyOfPayment(trx, locked, 'late_granted', at, { before, totals, note });
  await keepReserve(trx, { payment, isFinal: false, at });
}

/**
 * Money goes back only with the coupon: asks, in the transaction of the decision, whether the buyer still has it, and
 * reserves it until the money is back.
 * @throws AppError payment_changed
 */
export async function checkReturnable(trx: Trx, { bid }: LockedPayment, at: Date): Promise<void> {
  if ((await holdForReturn(trx, bid, at)) === null) return;
  const text = t`The buyer has used the coupon, passed it on or promised it to somebody. The money goes back only with the coupon.`;
  throw new AppError('payment_changed', text);
}

/** Frees the coupon after a claim that is not granted, unless its money is held, or goes back, anyway. */
export async function releaseClaimed(trx: Trx, { bid, payment }: LockedPayment): Promise<void> {
  const isHeld = bid.exchangeId === null && payment.status === 'held';
  if (!isHeld && saleOf(payment.status) !== 'undone') await releaseReturn(trx, bid);
}
