import { inTransaction } from '#server/database/client.ts';
import type { PaymentProvider, PaymentState } from '#server/providers/payments.ts';
import { ProviderRefusal } from '#server/providers/payments.ts';
import { findPayableBid } from '../bids/service.ts';
import type { Context } from '../context.ts';
import { closeAct } from './acts-store.ts';
import { checkCodeOfSale } from './checking.ts';
import { lockPaymentWithDeal } from './locking.ts';
import { nextTry } from './rules.ts';
import { settle, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

/**
 * Takes the money of an order that the buyer has approved. First marks the payment as processing, so that it cannot be
 * given up.
 * @returns the provider's state; null if the payment no longer waits for its buyer
 * @throws ProviderRefusal when nothing was captured, ProviderUnreachable; AppError code_refused, rate_limited
 */
export async function captureApproved(
  ctx: Context,
  provider: PaymentProvider,
  paymentId: number,
): Promise<PaymentState | null> {
  await checkCode(ctx, paymentId);
  const payment = await inTransaction(ctx.db, async (trx) => {
    const { bid, payment: locked } = await lockPaymentWithDeal(trx, paymentId);
    const at = ctx.clock();
    if (locked.status !== 'open' || bid.status !== 'accepted') {
      if (locked.status !== 'processing') await closeAct(trx, paymentId, 'capture', at);
      return null;
    }
    await store.updatePayment(trx, locked, { status: 'processing', nextTryAt: nextTry(1, at) }, at);
    return locked;
  });
  if (payment === null) return null;
  // A new key for each try: PayPal captures an order only once, and a declined order may be approved again.
  const idempotencyKey = `${payment.publicId}-capture-${ctx.clock().getTime()}`;
  try {
    const { ref, receiverAccount: receiver } = payment;
    const state = await provider.capturePayment({ ref: ref ?? '', receiver, idempotencyKey });
    await settle(ctx, payment.id, state);
    return state;
  } catch (error) {
    // Nothing was captured: the order waits for the buyer again, or can no longer be paid.
    if (error instanceof ProviderRefusal) await settleFromProvider(ctx, payment);
    throw error;
  }
}

/** Once more, as the buyer may have taken a while. If the account is not reached, the buyer's protection has to do. */
async function checkCode(ctx: Context, paymentId: number): Promise<void> {
  const payment = await store.findPayment(ctx.db, paymentId);
  const bid = payment && (await findPayableBid(ctx.db, payment.bidId));
  if (payment?.status === 'open' && bid?.status === 'accepted') await checkCodeOfSale(ctx, bid, true);
}
