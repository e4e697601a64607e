import { inTransaction } from '#server/database/client.ts';
import { type Payout, ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import type { Context } from '../context.ts';
import { book, payoutOf } from '../ledger/service.ts';
import { idempotencyKeyOf, nextTry } from './rules.ts';
import { finishRefund, lockPaymentWithDeal, notifyOfPayment, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

/** Claims and counts a try, so that no other process tries within the next minute. */
async function claimTry(
  ctx: Context,
  paymentId: number,
  act: 'payout' | 'refund',
): Promise<store.Payment | null> {
  return inTransaction(ctx.db, async (trx) => {
    const payment = await store.lockPayment(trx, paymentId);
    const isDue = payment.status === (act === 'payout' ? 'releasing' : 'refunding') && !payment.isDisputed;
    if (!isDue) return null;
    const at = ctx.clock();
    const payoutAttempts = payment.payoutAttempts + (act === 'payout' ? 1 : 0);
    const refundAttempts = payment.refundAttempts + (act === 'refund' ? 1 : 0);
    const nextTryAt = nextTry(Math.max(payoutAttempts, refundAttempts), at);
    await store.updatePayment(trx, payment, { payoutAttempts, refundAttempts, nextTryAt }, at);
    return { ...payment, payoutAttempts, refundAttempts };
  });
}

/**
 * Pays the seller of a released payment. Safe to repeat: the provider answers a repeated request as before, and the
 * ledger books it once.
 * @returns whether the seller has been paid
 */
export async function payOut(ctx: Context, paymentId: number): Promise<boolean> {
  const taken = await claimTry(ctx, paymentId, 'payout');
  const provider = taken && ctx.providers.payments[taken.provider];
  if (!taken || !provider) return false;
  // Refresh first: there may be a new dispute, and the provider's fee may be known by now.
  await settleFromProvider(ctx, taken);
  const payment = await store.findPayment(ctx.db, paymentId);
  if (payment?.status !== 'releasing' || payment.isDisputed) return payment?.status === 'completed';
  const known = payment.payoutRef === null ? null : await provider.readPayout(payment.payoutRef);
  const payout =
    known && known.status !== 'failed'
      ? known
      : await provider.payOut({
          publicId: payment.publicId,
          amount: payoutOf(payment),
          receiver: payment.receiverAccount,
          chargeRef: payment.chargeRef ?? '',
          idempotencyKey: idempotencyKeyOf('payout', payment.publicId, taken.payoutAttempts),
        });
  return finishPayout(ctx, paymentId, payout);
}

async function finishPayout(ctx: Context, paymentId: number, payout: Payout): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const { bid, payment } = await lockPaymentWithDeal(trx, paymentId);
    const at = ctx.clock();
    if (payout.receiver !== payment.receiverAccount) {
      ctx.log.error({ paymentId, payout: payout.ref }, 'a payout went to another account than was asked for');
    }
    if (payout.status === 'failed') {
      await store.updatePayment(trx, payment, { details: `Payout ${payout.ref} failed` }, at);
      return false;
    }
    if (payment.payoutRef !== payout.ref)
      await store.updatePayment(trx, payment, { payoutRef: payout.ref }, at);
    if (payout.status === 'pending') return false;
    await book(trx, { kind: 'payout', payment, sourceRef: payout.ref, at });
    if (payment.status === 'releasing') {
      await store.updatePayment(trx, payment, { status: 'completed', endedAt: at, nextTryAt: null }, at);
      await notifyOfPayment(trx, { bid, payment: { ...payment, netAmount: payout.amount } }, 'paid_out', at);
    }
    return true;
  });
}

/** Refunds the buyer in full. Safe to repeat. @returns whether the refund is complete */
export async function payBack(ctx: Context, paymentId: number): Promise<boolean> {
  const payment = await claimTry(ctx, paymentId, 'refund');
  const provider = payment && ctx.providers.payments[payment.provider];
  if (!payment || !provider || payment.ref === null) return false;
  // Refresh first: a pending refund may be complete, or one was made at the provider.
  await settleFromProvider(ctx, payment);
  const current = await store.findPayment(ctx.db, paymentId);
  if (current?.status !== 'refunding' || current.isDisputed) return current?.status === 'refunded';
  const refund = await provider.refund({
    publicId: payment.publicId,
    ref: payment.ref,
    chargeRef: payment.chargeRef ?? '',
    receiver: payment.receiverAccount,
    amount: payment.buyerTotal,
    platformFee: payment.platformFee,
    idempotencyKey: idempotencyKeyOf('refund', payment.publicId, payment.refundAttempts),
  });
  if (refund.status !== 'succeeded') return false;
  await inTransaction(ctx.db, async (trx) =>
    finishRefund(trx, await lockPaymentWithDeal(trx, paymentId), refund.ref, ctx.clock()),
  );
  return true;
}

/** Reverses payouts after lost disputes, where the provider can. @returns the number of reversals */
export async function reverseLost(ctx: Context): Promise<number> {
  let count = 0;
  for (const id of await store.listUnreversed(ctx.db, 100)) {
    await tryOrLog(ctx, id, async () => {
      const payment = await store.findPayment(ctx.db, id);
      const provider = payment && ctx.providers.payments[payment.provider];
      if (!payment || !provider || payment.payoutRef === null) return;
      const amount = payoutOf(payment);
      const idempotencyKey = `${payment.publicId}-reversal`;
      const reversal = await provider.reversePayout({ ref: payment.payoutRef, amount, idempotencyKey });
      if (reversal === null) return;
      const given = { kind: 'payout_reversal', payment, sourceRef: reversal.ref, at: ctx.clock() } as const;
      await inTransaction(ctx.db, (trx) => book(trx, given));
      count += 1;
    });
  }
  return count;
}

/** Runs an action on one payment and logs a failure, which is tried again when due. */
export async function tryOrLog(ctx: Context, paymentId: number, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const isExpected = error instanceof ProviderUnreachable || error instanceof ProviderRefusal;
    if (isExpected)
      ctx.log.warn({ err: error, paymentId }, 'a provider did not do what it was asked for; later again');
    else ctx.log.error({ err: error, paymentId }, 'a payment could not be moved on; later again');
  }
}
