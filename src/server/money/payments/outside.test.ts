import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import {
  type AcceptedBid,
  bidStatusOf,
  couponOf,
  paymentOf,
  setUpRefusingMarket,
  totalsOfBid,
} from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import { confirmReceipt, openClaim } from '../claims/sale-claims.ts';
import { settleFromProvider } from './settlement.ts';
import { findPayment } from './store.ts';

/** What people and banks do at the providers, without asking us. */
const { market, refuse } = setUpRefusingMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const { refOf } = settling(market);
const captureOf = async (bid: AcceptedBid) => (await paymentOf(market.ctx, bid)).paypalCaptureId ?? '';

describe('a refund from outside', () => {
  it('of a cent by PayPal’s seller leaves the sale, lowers the payout and tells both', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    await market.paypal.refund(await captureOf(bid), { amount: 1 });
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('held');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
    expect(await protectionOf(as(bid.buyer), bid.id)).toMatchObject({
      refunded: '0.01',
      takenByBank: '0.00',
    });
    const title = bid.coupon.title;
    expect(await market.textsFor(bid.buyer)).toContain(
      `You got $0.01 CAD back for “${title}”. The sale stays as it is.`,
    );
    expect(await market.textsFor(bid.seller)).toContain(
      `$0.01 CAD of the payment for “${title}” went back to the buyer. The sale stays as it is; your share is now $8.89 CAD.`,
    );
    await market.passDays(4);
    expect(await market.statusOf(bid)).toBe('completed');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1, transferred: 889 });
    expect(await market.textsFor(bid.seller)).toContain(`You have been paid $8.89 CAD for “${title}”.`);
  });

  it('while the payout is on its way undoes the sale, and the seller is not paid', async () => {
    const bid = await market.paidBid();
    refuse(/^POST \/v1\/transfers/);
    await confirmReceipt(as(bid.buyer), bid.id);
    refuse(null);
    expect(await market.statusOf(bid)).toBe('releasing');
    await market.stripe.refund(await refOf(bid));
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1_050, transferred: 0 });
  });

  it.each([
    ['all of it', 1_050, 'refunded', 950],
    ['a part', 300, 'completed', 271],
  ] as const)('after the payout takes the seller’s part back: %s', async (_, amount, status, reversed) => {
    const bid = await market.paidBid();
    await confirmReceipt(as(bid.buyer), bid.id);
    await market.stripe.refund(await refOf(bid), { amount });
    await market.deliverAll();
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe(status);
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({
      refunded: amount,
      transferred: 950,
      reversed,
    });
    const owner = status === 'refunded' ? bid.seller : bid.buyer;
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: owner.id, heldBy: null });
    expect((await market.textsFor(bid.seller)).filter((text) => text.includes('We took back'))).toHaveLength(
      1,
    );
  });

  it('that fails after it had succeeded is paid again', async () => {
    const bid = await market.paidBid();
    const refund = await market.stripe.refund(await refOf(bid));
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('refunded');
    await market.stripe.settleRefund(refund, 'failed');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('refunding');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 0 });
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1_050 });
  });

  it('of a part leaves the rest to a moderator’s refund', async () => {
    const bid = await market.paidBid();
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
    await market.stripe.refund(await refOf(bid), { amount: 300 });
    await market.deliverAll();
    await staff.decide(bid);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1_050 });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
  });
});

describe('an order that the buyer has approved at PayPal', () => {
  it('is captured by the server if the browser is gone', async () => {
    const bid = await market.acceptedBid();
    const { orderId } = await market.orderOf(bid);
    await market.paypal.approveOrder(orderId);
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('open');
    await market.passDays(2 / 1_440);
    expect(await market.statusOf(bid)).toBe('held');
    expect(await bidStatusOf(market.ctx, bid)).toBe('completed');
    await settleFromProvider(market.ctx, { ...(await findOne(bid)) });
    expect(await market.statusOf(bid)).toBe('held');
  });
});

async function findOne(bid: AcceptedBid) {
  const payment = await findPayment(market.ctx.db, (await paymentOf(market.ctx, bid)).id);
  if (!payment) throw new Error('There is no payment');
  return payment;
}
