import { describe, expect, it } from 'vitest';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Actor } from '#server/context/context.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import {
  type AcceptedBid,
  bidStatusOf,
  bookedOf,
  couponOf,
  paymentOf,
  setUpMarket,
} from '#tests/support/payments.ts';
import { settling } from '#tests/support/settling.ts';
import { openClaim } from '../claims/sale-claims.ts';
import { lapseUnpaidBids } from './reconcile.ts';
import { createPaymentIntent, createPaypalOrder } from './service.ts';
import { settle } from './settlement.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const { providerOf, refsOf, stateOf, paidUnheard, balancesOf } = settling(market);

/** Refunds the payment at the provider itself. */
async function refundThere(bid: AcceptedBid, by: PaymentProviderName) {
  const { id, publicId, ref, receiver } = await refsOf(bid);
  const { chargeRef, amount } = await stateOf(bid, by);
  await providerOf(by).refund({
    publicId,
    ref,
    chargeRef: chargeRef ?? '',
    receiver,
    amount,
    platformFee: 100,
    idempotencyKey: `by-hand-${id}`,
  });
}

describe.each(PROVIDERS)('a payment by %s', (by) => {
  it('with another amount than requested is not settled', async () => {
    const bid = await paidUnheard(by);
    const state = await stateOf(bid, by);
    const { id } = await paymentOf(market.ctx, bid);
    await settle(market.ctx, id, { ...state, amount: state.amount - 1 });
    expect(await paymentOf(market.ctx, bid)).toMatchObject({
      status: 'open',
      details: 'Its amount is 1049 cents',
      paidAt: null,
    });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    expect(await bookedOf(market.ctx, bid)).toEqual([]);
    // The correct state still settles it.
    await settle(market.ctx, id, state);
    expect(await market.statusOf(bid)).toBe('held');
  });

  it('never moves backwards after a late report', async () => {
    const bid = await paidUnheard(by);
    const state = await stateOf(bid, by);
    const { id } = await paymentOf(market.ctx, bid);
    await settle(market.ctx, id, state);
    const before = await paymentOf(market.ctx, bid);
    for (const status of ['open', 'requires_action', 'processing', 'cancelled', 'failed'] as const) {
      await settle(market.ctx, id, { ...state, status });
      expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', paidAt: before.paidAt });
    }
  });

  it('for a cancelled bid is refunded at once', async () => {
    const bid = await market.acceptedBid();
    const me = as(bid.buyer);
    if (by === 'stripe') await createPaymentIntent(me, { bidId: bid.id, keepCard: false });
    else await createPaypalOrder(me, bid.id);
    const before = await stateOf(bid, by);
    market.ctx.clock.advanceDays(2);
    await lapseUnpaidBids(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
    // PayPal cannot cancel; at Stripe the payment may have come in the same instant.
    if (by === 'paypal') {
      await market.paypal.approveOrder(before.ref);
      await providerOf(by).capturePayment({
        ref: before.ref,
        receiver: 'MERCHANT',
        idempotencyKey: `late-${bid.id}`,
      });
      await market.deliverAll();
    } else {
      const paid = await market.paidBid();
      const { id } = await paymentOf(market.ctx, bid);
      const { chargeRef } = await stateOf(paid, by);
      const totals = { ...before.totals, captured: before.amount, providerFees: 60 };
      const late = { status: 'succeeded', chargeRef: `late-${chargeRef}`, totals } as const;
      await settle(market.ctx, id, { ...before, ...late });
    }
    expect(await market.statusOf(bid)).toBe('refunding');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    const told = await noticesOf(market.ctx, bid.buyer);
    expect(told.at(-1)?.content).toMatch(
      /arrived when the coupon was no longer for sale\. You are getting all of it back\.$/,
    );
    if (by === 'paypal') {
      await reconcilePayments(market.ctx);
      expect(await market.statusOf(bid)).toBe('refunded');
      expect(await balancesOf(bid)).toEqual({ provider_clearing: -60, provider_fees: 60 });
    }
  });

  it("that was refunded on the provider's own pages is undone here", async () => {
    const bid = await market.paidBid({ by });
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The code does not work.' });
    await refundThere(bid, by);
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
    expect(await staff.claimOf(bid)).toBeUndefined();
  });

  it('that was paid and refunded before the first event leaves the coupon with the seller', async () => {
    const bid = await paidUnheard(by);
    await refundThere(bid, by);
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
    expect(await balancesOf(bid)).toEqual({ provider_clearing: -60, provider_fees: 60 });
  });
});
