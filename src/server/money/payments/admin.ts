import { t } from '@lingui/core/macro';
import {
  baseCurrency,
  type Cents,
  centsToDecimal,
  decimalToCents,
  formatDecimal,
} from '#contract/base/money.ts';
import type { SettleDebtInput } from '#contract/money/debts.ts';
import type { PaymentDetails, RefundInput } from '#contract/money/payment-issues.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { bookTotals, dueToSeller, readTotals, returnedOf } from '#server/money/books/service.ts';
import { enforceSecondFactor } from '#server/people/accounts/service.ts';
import { refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { audit } from '#server/people/audit/service.ts';
import { follow } from './apply.ts';
import { lockPaymentWithDeal } from './facts.ts';
import { notifyOfPayment } from './notices.ts';
import { attemptOperation, followDebt } from './operations.ts';
import * as operations from './operations-store.ts';
import { refundObstacle, saleOf } from './rules.ts';
import { settleFromProvider, translateErrors } from './settlement.ts';
import * as store from './store.ts';

/** @throws AppError not_found, forbidden (a party to the sale) */
async function findPaymentOfOthers(ctx: MemberContext, paymentId: number): Promise<store.Payment> {
  const found = await store.findPayment(ctx.db, paymentId);
  if (!found) throw notFound(t`Payment not found`);
  const parties = [found.senderId, found.receiverId];
  refuseOwnCase(ctx.actor.id, parties, t`You are part of this sale: another admin has to look after it.`);
  return found;
}

/** A payment with all its movements of money, for admins. @throws AppError not_found, forbidden (a party to the sale) */
export async function paymentDetails(ctx: MemberContext, paymentId: number): Promise<PaymentDetails> {
  const [payment, deal, totals, opened] = await Promise.all([
    findPaymentOfOthers(ctx, paymentId),
    store.findDealOf(ctx.db, paymentId),
    readTotals(ctx.db, paymentId),
    operations.listOperations(ctx.db, paymentId),
  ]);
  if (!deal) throw notFound(t`Payment not found`);
  const isRefunding = opened.some(({ kind, nextTryAt }) => kind === 'refund' && nextTryAt !== null);
  const { captured } = totals;
  const returned = returnedOf(totals);
  const money = (cents: Cents) => centsToDecimal(Math.max(0, cents));
  return {
    id: payment.id,
    bidId: payment.bidId,
    couponId: deal.couponId,
    couponTitle: deal.couponTitle,
    provider: payment.provider,
    status: payment.status,
    buyer: { id: payment.senderId, username: deal.buyerUsername, status: deal.buyerStatus },
    seller: { id: payment.receiverId, username: deal.sellerUsername, status: deal.sellerStatus },
    paidAt: deal.paidAt?.toISOString() ?? null,
    holdUntil: payment.holdUntil?.toISOString() ?? null,
    isDisputed: payment.isDisputed,
    evidenceDueAt: payment.evidenceDueAt?.toISOString() ?? null,
    claim: deal.claim,
    buyerTotal: money(payment.buyerTotal),
    netAmount: money(payment.netAmount),
    captured: money(captured),
    refunded: money(totals.refunded),
    takenByBank: money(totals.withdrawn),
    paidOut: money(totals.transferred),
    reversed: money(totals.reversed),
    providerFees: money(totals.providerFees),
    returned: money(returned),
    refundable: money(captured - returned),
    refundObstacle: refundObstacle({ isDisputed: payment.isDisputed, captured, returned, isRefunding }),
    operations: opened.map(({ nextTryAt, givenUpAt, doneAt, ...operation }) => ({
      ...operation,
      nextTryAt: nextTryAt?.toISOString() ?? null,
      givenUpAt: givenUpAt?.toISOString() ?? null,
      doneAt: doneAt?.toISOString() ?? null,
    })),
  };
}

/** Reads a payment from its provider and settles it. @throws AppError not_found, payments_unavailable */
export async function retryPayment(ctx: Context, paymentId: number): Promise<void> {
  const payment = await store.findPayment(ctx.db, paymentId);
  if (!payment) throw notFound(t`Payment not found`);
  await translateErrors(settleFromProvider(ctx, payment));
}

const changed = (text: string) => new AppError('payment_changed', text);

/**
 * Refunds a part of a payment, or all that is left of it: a part lowers what the seller gets, or takes it back; all
 * undoes the sale.
 * @param given `returned` is what the admin has seen as returned so far: of two admins, or two clicks, one refunds
 * @throws AppError not_found, forbidden (a party to the sale), bad_input (more than is left), payment_changed (other
 *   refunds meanwhile, or none is possible; all of the money without the coupon), payments_unavailable, second_factor_required
 */
export async function refundByAdmin(
  ctx: MemberContext,
  { paymentId, amount, returned, reason }: RefundInput,
): Promise<PaymentDetails> {
  await enforceSecondFactor(ctx, 'always');
  const found = await findPaymentOfOthers(ctx, paymentId);
  // What was refunded outside meanwhile counts.
  const state = await translateErrors(settleFromProvider(ctx, found));
  const isPending = (state?.totals.refundPending ?? 0) > 0;
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { payment } = locked;
    const at = ctx.clock();
    const totals = await readTotals(trx, paymentId);
    const open = await operations.findOperation(trx, paymentId, 'refund');
    const { captured } = totals;
    const before = returnedOf(totals);
    const isRefunding = isPending || (open?.nextTryAt ?? null) !== null;
    const { isDisputed } = payment;
    const obstacle = refundObstacle({ isDisputed, captured, returned: before, isRefunding });
    if (obstacle !== null) throw changed(obstacle);
    if (decimalToCents(returned) !== before)
      throw changed(t`This payment has had another refund in the meantime. Please check it again.`);
    const target = before + decimalToCents(amount);
    if (target > captured) {
      const text = t`Only ${formatDecimal(captured - before)} ${{ currency: baseCurrency() }} is left to refund`;
      throw fieldError('bad_input', 'amount', text);
    }
    const isAll = target === captured;
    if (!isAll && saleOf(payment.status) === 'undone')
      throw fieldError('bad_input', 'amount', t`This sale is undone: all of the money goes back`);
    await follow(trx, ctx, locked, { what: 'refund_ordered', amount: target - before, note: reason }, at);
    // One that was given up begins again.
    await operations.hurryOperation(trx, paymentId, 'refund', at);
    await audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: 'payment_refunded',
      details: `${amount} ${baseCurrency()} of payment ${paymentId}, of ${centsToDecimal(captured)}. ${reason}`,
      targetUserId: payment.receiverId,
      at,
    });
  });
  await attemptOperation(ctx, paymentId, 'refund');
  await attemptOperation(ctx, paymentId, 'reversal');
  return paymentDetails(ctx, paymentId);
}

/**
 * Ends all that is still owed for a payment.
 * @throws AppError not_found, forbidden (a party to the sale), payment_changed (nothing is owed; a reversal is on its way; a
 *   Stripe debt cannot be `collected`)
 */
export async function settleDebt(
  ctx: MemberContext,
  { paymentId, how, reason }: SettleDebtInput,
): Promise<void> {
  await findPaymentOfOthers(ctx, paymentId);
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { payment } = locked;
    const before = await readTotals(trx, paymentId);
    const owed = -dueToSeller(payment, before);
    if (owed <= 0) throw new AppError('payment_changed', t`Nothing is owed for this sale now.`);
    if (!(await operations.lockIdleReversal(trx, paymentId))) {
      throw new AppError('payment_changed', t`We have asked Stripe to take this back. Try again in an hour.`);
    }
    if (how === 'collected' && payment.provider === 'stripe') {
      throw new AppError('payment_changed', t`Stripe does not collect debts. Write it off instead.`);
    }
    const at = ctx.clock();
    const totals =
      how === 'collected'
        ? { ...before, collected: before.collected + owed }
        : { ...before, writtenOff: before.writtenOff + owed };
    await bookTotals(trx, { payment, totals, at });
    await operations.closeOperation(trx, paymentId, 'reversal', at);
    await followDebt(trx, payment, at);
    await notifyOfPayment(trx, locked, 'debt_settled', at, { before, totals });
    await audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: `debt_${how}`,
      details: `${centsToDecimal(owed)} ${baseCurrency()} of payment ${paymentId}. ${reason}`,
      targetUserId: payment.receiverId,
      at,
    });
  });
}
