import { describe, expect, it } from 'vitest';
import { REASON_MAX } from '#contract/base/primitives.ts';
import type { Actor } from '#server/context/context.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import {
  type AcceptedBid,
  paymentOf,
  paymentsOf,
  setUpRefusingMarket,
  totalsOfBid,
} from '#tests/support/payments.ts';
import { confirmReceipt } from '../claims/sale-claims.ts';
import { paymentDetails, refundByAdmin } from './admin.ts';

const { market, refuse } = setUpRefusingMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);

async function refund(
  bid: AcceptedBid,
  amount: string,
  { returned = '0.00', by = staff.admin, reason = 'The till took half of it.' } = {},
) {
  const { id: paymentId } = await paymentOf(market.ctx, bid);
  return refundByAdmin(as(by), { paymentId, amount, returned, reason });
}

describe('an admin', () => {
  it('refunds a part of a held payment: the sale stays, both are told why, and the seller gets less', async () => {
    const bid = await market.paidBid();
    const file = await refund(bid, '3.00');
    expect(file).toMatchObject({
      status: 'held',
      refunded: '3.00',
      refundable: '7.50',
      refundObstacle: null,
    });
    expect(await protectionOf(as(bid.seller), bid.id)).toMatchObject({ sellerShare: '6.79' });
    expect(await protectionOf(as(bid.buyer), bid.id)).toMatchObject({ sellerShare: null });
    expect(await market.textsFor(bid.buyer)).toContain(
      `We are refunding you $3.00 CAD for “${bid.coupon.title}”: “The till took half of it.”`,
    );
    expect(await market.textsFor(bid.seller)).toContain(
      `We are refunding the buyer of “${bid.coupon.title}” $3.00 CAD: “The till took half of it.”`,
    );
    await market.passDays(4);
    expect(await market.statusOf(bid)).toBe('completed');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 300, transferred: 679 });
  });

  it('gives the longest reason, which both are told', async () => {
    const bid = await market.paidBid();
    const reason = 'z'.repeat(REASON_MAX);
    await refund(bid, '3.00', { reason });
    for (const party of [bid.buyer, bid.seller])
      expect(await market.textsFor(party)).toContainEqual(expect.stringContaining(reason));
  });

  it('refunds the same part twice, one after the other', async () => {
    const bid = await market.paidBid();
    await refund(bid, '3.00');
    await refund(bid, '3.00', { returned: '3.00' });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 600 });
  });

  it('refunds while the payout is on its way, and the seller is paid the rest afterwards', async () => {
    const bid = await market.paidBid();
    refuse(/^POST \/v1\/(transfers|refunds)/);
    await confirmReceipt(as(bid.buyer), bid.id);
    await refund(bid, '3.00');
    refuse(/^POST \/v1\/refunds/);
    await market.passDays(1);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 0, transferred: 0 });
    refuse(null);
    await market.passDays(1);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 300, transferred: 679 });
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('refunds a PayPal payment after the payout, from the seller’s PayPal account', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    await confirmReceipt(as(bid.buyer), bid.id);
    expect(await market.statusOf(bid)).toBe('completed');
    expect(await refund(bid, '3.00')).toMatchObject({ status: 'completed', refunded: '3.00' });
  });

  it('refunds once on a double click, and of two admins one wins', async () => {
    const bid = await market.paidBid();
    const other = await createUser(market.ctx, { role: 'admin' });
    const answers = await Promise.allSettled([refund(bid, '3.00'), refund(bid, '3.00', { by: other })]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(refund(bid, '3.00')).rejects.toMatchObject({ code: 'payment_changed' });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 300 });
  });

  it('is refused where money went back outside meanwhile', async () => {
    const bid = await market.paidBid();
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    await market.stripe.refund(stripePaymentIntentId ?? '', { amount: 200 });
    await expect(refund(bid, '3.00')).rejects.toMatchObject({ code: 'payment_changed' });
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 200 });
  });

  it('is refused more than is left, a payment of their own sale, one in dispute, and one that is not paid', async () => {
    const bid = await market.paidBid();
    await expect(refund(bid, '10.51')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(refund(bid, '1.00', { by: bid.seller })).rejects.toMatchObject({ code: 'forbidden' });
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    const dispute = await market.stripe.openDispute(stripePaymentIntentId ?? '');
    await expect(refund(bid, '1.00')).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'The buyer’s bank disputes this payment. With a refund, the buyer could get the money twice.',
    });
    await market.stripe.closeDispute(dispute, 'won');
    const unpaid = await market.acceptedBid();
    await market.intentOf(unpaid);
    await expect(refund(unpaid, '1.00')).rejects.toMatchObject({ message: 'Nothing was paid.' });
  });

  it('leaves a line in the audit log', async () => {
    const bid = await market.paidBid();
    await refund(bid, '3.00');
    const line = await market.ctx.db
      .selectFrom('auditLog')
      .selectAll()
      .where('targetUserId', '=', bid.seller.id)
      .executeTakeFirstOrThrow();
    const [payment] = await paymentsOf(market.ctx, bid);
    expect(line).toMatchObject({
      actorId: staff.admin.id,
      action: 'payment_refunded',
      details: `3.00 CAD of payment ${payment?.id}, of 10.50. The till took half of it.`,
    });
  });
});

describe('a refund', () => {
  it('of a part that fails after it had succeeded is left to a person', async () => {
    const bid = await market.paidBid();
    const { id, stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    const made = await market.stripe.refund(stripePaymentIntentId ?? '', { amount: 300 });
    await market.deliverAll();
    await market.stripe.settleRefund(made, 'failed');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('held');
    const { operations } = await paymentDetails(as(staff.admin), id);
    expect(operations).toMatchObject([
      {
        kind: 'review',
        lastError: 'Refunds of 300 cents did not reach the buyer',
        givenUpAt: expect.any(String),
      },
    ]);
  });
});
