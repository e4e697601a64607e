import type { PaymentFile, RefundInput } from '#contract/matters.ts';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { enforceSecondFactor } from '../accounts/second-factor.ts';
import { audit } from '../audit/service.ts';
import type { MemberContext } from '../context.ts';
import { NO_TOTALS, readTotals, returnedOf } from '../ledger/service.ts';
import { attemptAct } from './acts.ts';
import { findAct, openAct } from './acts-store.ts';
import { paymentFile } from './files.ts';
import { lockPaymentWithDeal } from './locking.ts';
import { notifyOfPayment } from './notices.ts';
import { refundObstacle, saleOf } from './rules.ts';
import { settleFromProvider, translateErrors } from './settlement.ts';
import * as store from './store.ts';

const changed = (text: string) => new AppError('payment_changed', text);

/**
 * Refunds a part of a payment, or all that is left of it: a part lowers what the seller gets, or takes it back; all
 * undoes the sale.
 * @param given `returned` is what the admin has seen as returned so far: of two admins, or two clicks, one refunds
 * @throws AppError not_found, forbidden (a party to the sale), bad_input (more than is left), payment_changed (other
 *   refunds meanwhile, or none is possible), payments_unavailable, second_factor_required
 */
export async function refundByAdmin(
  ctx: MemberContext,
  { paymentId, amount, returned, reason }: RefundInput,
): Promise<PaymentFile> {
  await enforceSecondFactor(ctx, 'always');
  const found = await store.findPayment(ctx.db, paymentId);
  if (!found) throw notFound('Payment');
  if ([found.senderId, found.receiverId].includes(ctx.actor.id))
    throw new AppError('forbidden', 'You take part in this sale: another admin has to refund it.');
  // What was refunded outside meanwhile counts.
  const state = await translateErrors(settleFromProvider(ctx, found));
  const isPending = (state?.totals.refundPending ?? 0) > 0;
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { payment } = locked;
    const at = ctx.clock();
    const totals = await readTotals(trx, paymentId);
    const open = await findAct(trx, paymentId, 'refund');
    const { captured } = totals;
    const before = returnedOf(totals);
    const isRefunding = isPending || (open?.nextTryAt ?? null) !== null;
    const { isDisputed } = payment;
    const obstacle = refundObstacle({ isDisputed, captured, returned: before, isRefunding });
    if (obstacle !== null) throw changed(obstacle);
    if (decimalToCents(returned) !== before)
      throw changed('Other refunds of this payment have arrived meanwhile. Look at it again.');
    const target = before + decimalToCents(amount);
    if (target > captured) {
      const text = `At most ${centsToDecimal(captured - before)} CAD are left to refund`;
      throw fieldError('bad_input', 'amount', text);
    }
    const isAll = target === captured;
    if (!isAll && saleOf(payment.status) === 'undone')
      throw fieldError('bad_input', 'amount', 'This sale is undone: all of the money goes back');
    if (isAll) await store.updatePayment(trx, payment, { status: 'refunding', endedAt: null }, at);
    await openAct(trx, payment, 'refund', at, isAll ? null : target);
    const moved = { before: NO_TOTALS, totals: { ...NO_TOTALS, refunded: target - before } };
    await notifyOfPayment(trx, locked, 'refund_decided', at, moved, reason);
    await audit(trx, {
      actorId: ctx.actor.id,
      action: 'payment_refunded',
      details: `${amount} CAD of payment ${paymentId}, of ${centsToDecimal(captured)}. ${reason}`,
      targetUserId: payment.receiverId,
      at,
    });
  });
  await attemptAct(ctx, paymentId, 'refund');
  await attemptAct(ctx, paymentId, 'reversal');
  return paymentFile(ctx, paymentId);
}
