import type { PaymentFile } from '#contract/matters.ts';
import { type Cents, centsToDecimal } from '#contract/money.ts';
import { notFound } from '#server/core/errors.ts';
import { claimOfSale } from '../claims/service.ts';
import type { Context } from '../context.ts';
import { readTotals, returnedOf } from '../ledger/service.ts';
import { listActs } from './acts-store.ts';
import { refundObstacle } from './rules.ts';
import { findDealOf, findPayment } from './store.ts';

/** A payment with all its movements of money, for admins. @throws AppError not_found */
export async function paymentFile(ctx: Context, paymentId: number): Promise<PaymentFile> {
  const [payment, deal, totals, acts] = await Promise.all([
    findPayment(ctx.db, paymentId),
    findDealOf(ctx.db, paymentId),
    readTotals(ctx.db, paymentId),
    listActs(ctx.db, paymentId),
  ]);
  if (!payment || !deal) throw notFound('Payment');
  const claim = await claimOfSale(ctx.db, payment.bidId);
  const isRefunding = acts.some(({ act, nextTryAt }) => act === 'refund' && nextTryAt !== null);
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
    claim: claim?.status ?? null,
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
    acts: acts.map(({ nextTryAt, givenUpAt, doneAt, ...act }) => ({
      ...act,
      nextTryAt: nextTryAt?.toISOString() ?? null,
      givenUpAt: givenUpAt?.toISOString() ?? null,
      doneAt: doneAt?.toISOString() ?? null,
    })),
  };
}
