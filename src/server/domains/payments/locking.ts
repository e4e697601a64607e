import type { Trx } from '#server/database/client.ts';
import { findPayableBid, lockPayableBid, type PayableBid } from '../bids/service.ts';
import { lockCoupons } from '../deals/service.ts';
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
  const seen = found && (await findPayableBid(trx, found.bidId));
  if (!seen) throw new Error(`Payment ${paymentId} or its bid is gone`);
  await lockCoupons(trx, [seen.couponId]);
  const bid = await lockPayableBid(trx, seen.id);
  for (const id of [...others, paymentId].sort((a, b) => a - b)) await store.lockPayment(trx, id);
  return { bid, payment: await store.lockPayment(trx, paymentId) };
}
