import type { Trx } from '#server/database/client.ts';
import { lockPayableBid, type PayableBid } from '../bids/service.ts';
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
