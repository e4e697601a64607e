import type { Trx } from '#server/database/client.ts';
import { findPayableBid, lockPayableBid, type PayableBid } from '../bids/service.ts';
import { lockCoupons } from '../deals/service.ts';
import * as store from './store.ts';

/** A locked payment and its locked bid. */
export interface LockedPayment {
  readonly bid: PayableBid;
  readonly payment: store.Payment;
}

/** Locks a payment's coupon, bid and row, in this order, and reads bid and payment. */
export async function lockPaymentWithDeal(trx: Trx, paymentId: number): Promise<LockedPayment> {
  const found = await store.findPayment(trx, paymentId);
  const seen = found && (await findPayableBid(trx, found.bidId));
  if (!seen) throw new Error(`Payment ${paymentId} or its bid is gone`);
  await lockCoupons(trx, [seen.couponId]);
  const bid = await lockPayableBid(trx, seen.id);
  return { bid, payment: await store.lockPayment(trx, paymentId) };
}
