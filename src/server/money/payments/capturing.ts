import { t } from '@lingui/core/macro';
import { quote, quoted } from '#contract/base/words.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { askAgain, checkUnchanged } from '#server/coupons/codes/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { findPayableBid, lockPayableBid, type PayableBid } from '#server/deals/bids/service.ts';
import { endRefusedDeal } from '#server/deals/lifecycle/service.ts';
import type { PaymentProvider, PaymentState } from '#server/providers/payments.ts';
import { ProviderRefusal } from '#server/providers/payments.ts';
import { lockPaymentWithDeal } from './facts.ts';
import { closeOperation } from './operations-store.ts';
import { nextTry } from './rules.ts';
import { settle, settleFromProvider } from './settlement.ts';
import * as store from './store.ts';

/**
 * Asks about the code of an accepted bid before its buyer is charged (decisions 3.17). A "no" cancels the bid, unless it is
 * being paid already, and takes the coupon off the lists. Money that comes all the same is refunded.
 * @throws AppError code_refused, code_unchecked (unless acknowledged), rate_limited
 */
export async function checkCodeOfSale(ctx: Context, bid: PayableBid, acknowledged: boolean): Promise<void> {
  const asked = await askAgain(ctx, bid.couponIds, acknowledged);
  const refused = asked.filter(({ answer }) => answer === 'refused');
  if (refused.length === 0) return;
  await inTransaction(ctx.db, async (trx) => {
    const { status } = await lockPayableBid(trx, bid.id);
    const payment = await store.findPaymentOfBid(trx, bid.id);
    if (status !== 'accepted' || payment?.status === 'processing') return;
    await checkUnchanged(trx, ctx, refused);
    const deal = bid.exchangeId === null ? { bidId: bid.id } : { exchangeId: bid.exchangeId };
    await endRefusedDeal(trx, { deal, couponIds: refused.map(({ couponId }) => couponId), at: ctx.clock() });
  });
  if (bid.exchangeId !== null) {
    throw new AppError(
      'code_refused',
      t`The merchant says that the code of ${quoted(refused.map(({ title }) => title))} does not work. You were not charged, and the exchange was cancelled.`,
    );
  }
  throw new AppError(
    'code_refused',
    t`The merchant says that the code of ${bid.ownerUsername}’s ${quote(bid.couponTitle)} does not work. You were not charged, and the bid was cancelled.`,
  );
}

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
      if (locked.status !== 'processing') await closeOperation(trx, paymentId, 'capture', at);
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
