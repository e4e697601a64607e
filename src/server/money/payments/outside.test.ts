import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { listPaymentIssues } from '#server/money/payment-issues/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { acceptedRing } from '#tests/support/leg-prices.ts';
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
import { refundByAdmin } from './admin.ts';
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

  it.each<[string, () => Promise<AcceptedBid>]>([
    [
      'of a sale',
      async () => {
        const bid = await market.paidBid();
        await market.stripe.refund(await refOf(bid));
        return bid;
      },
    ],
    [
      'of a ring that has ended',
      async () => {
        const { id, bids, people } = await acceptedRing(market);
        const [bid] = bids;
        if (!bid) throw new Error('Nobody pays');
        await market.payByCard(bid);
        await setExchangeStatus(as(people[0] ?? bid.seller), { id, status: 'cancelled' });
        await reconcilePayments(market.ctx);
        return bid;
      },
    ],
  ])(
    '%s that the bank sends back asks a person, tells the buyer once, and is made again by an admin',
    async (_, refunded) => {
      const bid = await refunded();
      await market.deliverAll();
      expect(await market.statusOf(bid)).toBe('refunded');
      const refundsOf = async () => (await market.stripe.payments()).find(({ id }) => id === ref)?.refund;
      const ref = await refOf(bid);
      await market.stripe.settleRefund((await refundsOf())?.id ?? '', 'failed');
      await market.deliverAll();
      for (const days of [0.01, 1, 8]) await market.passDays(days);
      expect(await market.statusOf(bid)).toBe('refunding');
      expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 0 });
      const sum = bid.amount * 1.05;
      expect((await market.textsFor(bid.buyer)).filter((text) => text.includes('came back'))).toEqual([
        `$${(sum / 100).toFixed(2)} CAD that we refunded for “${bid.coupon.title}” came back from your bank. We will write to you about another way to get your money back.`,
      ]);
      const { id: paymentId } = await paymentOf(market.ctx, bid);
      const issues = await listPaymentIssues(as(staff.admin), { isHandled: false, page: 1, limit: 100 });
      expect(issues.items.filter((issue) => issue.paymentId === paymentId)).toMatchObject([
        {
          kind: 'operation',
          what: 'refund',
          nextTryAt: null,
          lastError: `Refunds of ${sum} cents did not reach the buyer`,
        },
      ]);
      const amount = (sum / 100).toFixed(2);
      await refundByAdmin(as(staff.admin), { paymentId, amount, returned: '0.00', reason: 'A new card.' });
      expect(await market.statusOf(bid)).toBe('refunded');
    },
  );

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
