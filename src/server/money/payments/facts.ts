import type { Cents } from '#contract/base/money.ts';
import type { Trx } from '#server/database/client.ts';
import { lockPayableBid, type PayableBid } from '#server/deals/bids/service.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { readTotals } from '#server/money/books/service.ts';
import { type OperationKind, readOperations } from './operations-store.ts';
import * as store from './store.ts';

/** A locked payment and its locked bid. */
export interface LockedPayment {
  readonly bid: PayableBid;
  readonly payment: store.Payment;
}

/** All that a decision about a payment knows, read under its lock. Amounts are cents. */
export interface PaymentFacts extends LockedPayment {
  /** What the ledger has booked. */
  readonly booked: Totals;
  /** What we have to do at the provider, also what was given up; `target`: how much shall be back in the end, null: all. */
  readonly open: ReadonlyMap<OperationKind, { readonly target: Cents | null }>;
  /**
   * The most that a payout was asked for, and may still come: an answer may be lost or late, while the payout was closed,
   * or asked for again with less.
   */
  readonly payoutAsked: Cents;
  readonly at: Date;
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

/** Reads what else decisions about a locked payment know. */
export async function factsOf(trx: Trx, locked: LockedPayment, at: Date): Promise<PaymentFacts> {
  const booked = await readTotals(trx, locked.payment.id);
  return { ...locked, ...(await readOperations(trx, locked.payment.id)), booked, at };
}
