import { beforeAll, describe, expect, it } from 'vitest';
import type { PaymentProviderName } from '#contract/sellers.ts';
import type { Actor } from '#server/domains/context.ts';
import type { PaymentState } from '#server/providers/payments.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { noticesOf } from '#server/testing/exchanges.ts';
import {
  type AcceptedBid,
  bidStatusOf,
  bookedOf,
  CARDS,
  couponOf,
  paymentOf,
  setUpMarket,
} from '#server/testing/payments.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { confirmReceipt, decideClaim, listClaims, openClaim } from './protection.ts';
import { lapseUnpaidBids, reconcilePayments } from './reconcile.ts';
import { createPaymentIntent, createPaypalOrder } from './service.ts';
import { settle } from './settlement.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;
const MINUTE = 1 / 1_440;

const market = setUpMarket();
let moderator: Actor;

beforeAll(async () => {
  moderator = await createUser(market.ctx, { role: 'moderator' });
});

const as = (actor: Actor) => actingAs(market.ctx, actor);

function providerOf(name: PaymentProviderName) {
  const provider = market.ctx.providers.payments[name];
  if (!provider) throw new Error(`There is no ${name}`);
  return provider;
}

/** The intent's or order's, and the charge's or capture's id. */
async function refsOf(bid: AcceptedBid) {
  const payment = await paymentOf(market.ctx, bid);
  return {
    id: payment.id,
    publicId: payment.publicId,
    ref: payment.stripePaymentIntentId ?? payment.paypalOrderId ?? '',
    receiver: payment.receiverAccount,
  };
}

async function stateOf(bid: AcceptedBid, by: PaymentProviderName): Promise<PaymentState> {
  const state = await providerOf(by).readPayment((await refsOf(bid)).ref);
  if (!state) throw new Error('The provider knows of no such payment');
  return state;
}

/** A bid that is paid at the provider, of which no event has come. */
async function paidUnheard(by: PaymentProviderName): Promise<AcceptedBid> {
  const bid = await market.acceptedBid();
  if (by === 'stripe') {
    const intent = await createPaymentIntent(as(bid.buyer), { bidId: bid.id, keepCard: false });
    await market.stripe.confirmWithCard(intent.clientSecret, CARDS.good);
  } else {
    const { orderId } = await createPaypalOrder(as(bid.buyer), bid.id);
    await market.paypal.approveOrder(orderId);
    await providerOf(by).capturePayment({
      ref: orderId,
      receiver: 'MERCHANT',
      idempotencyKey: `captured-${bid.id}`,
    });
  }
  return bid;
}

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

async function openDispute(bid: AcceptedBid, by: PaymentProviderName): Promise<string> {
  const { chargeRef, ref } = await stateOf(bid, by);
  return by === 'stripe' ? market.stripe.openDispute(ref) : market.paypal.openDispute(chargeRef ?? '');
}

const closeDispute = (id: string, by: PaymentProviderName, outcome: 'won' | 'lost') =>
  by === 'stripe' ? market.stripe.closeDispute(id, outcome) : market.paypal.closeDispute(id, outcome);

/** The balances of a bid's journals, by account. */
async function balancesOf(bid: AcceptedBid): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { account, amount } of await bookedOf(market.ctx, bid)) {
    sums[account] = (sums[account] ?? 0) + Math.round(Number(amount) * 100);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

describe.each(PROVIDERS)('a payment by %s', (by) => {
  it.each<[string, (state: PaymentState) => Partial<PaymentState>, string]>([
    ['amount', ({ amount }) => ({ amount: amount - 1 }), 'Its amount is 1049 cents'],
    ['currency', () => ({ currency: 'USD' }), 'Its currency is USD'],
    ['receiver', () => ({ receiver: 'somebody-else' }), 'It is for another account'],
    ['payment', () => ({ publicId: publicIdOf(1) }), 'It is another payment'],
    ['intent', () => ({ ref: 'another' }), 'It is another payment'],
  ])('with another %s than requested is not settled', async (_, change, details) => {
    const bid = await paidUnheard(by);
    const state = await stateOf(bid, by);
    const { id } = await paymentOf(market.ctx, bid);
    await settle(market.ctx, id, { ...state, ...change(state) });
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'open', details, paidAt: null });
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
      /came when it was no longer for sale\. All of it goes back to you\.$/,
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
    const { items } = await listClaims(as(moderator), { onlyOpen: true, page: 1, limit: 100 });
    expect(items.filter(({ bidId }) => bidId === bid.id)).toEqual([]);
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

describe.each(PROVIDERS)('a disputed payment by %s', (by) => {
  /** The fee of the payment, and of Stripe's dispute. */
  const costs = by === 'stripe' ? 1_560 : 60;
  const claim = async (bid: AcceptedBid) => {
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The code does not work.' });
    const { items } = await listClaims(as(moderator), { onlyOpen: true, page: 1, limit: 100 });
    return items.find(({ bidId }) => bidId === bid.id)?.id ?? 0;
  };

  it('is neither released nor refunded until the bank has decided; then the hold continues', async () => {
    const bid = await market.paidBid({ by });
    const claimId = await claim(bid);
    const dispute = await openDispute(bid, by);
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', isDisputed: true });
    const questioned = {
      code: 'payment_changed',
      message:
        'The buyer’s bank questions this payment. Until it has decided, nothing can be released or refunded.',
    };
    await expect(confirmReceipt(as(bid.buyer), bid.id)).rejects.toMatchObject(questioned);
    const refund = { id: claimId, decision: 'refund', note: 'It is so.' } as const;
    await expect(decideClaim(as(moderator), refund)).rejects.toMatchObject(questioned);
    // A release is stored and waits for the bank.
    await decideClaim(as(moderator), { ...refund, decision: 'release' });
    market.ctx.clock.advanceDays(4);
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('held');

    await closeDispute(dispute, by, 'won');
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', isDisputed: false });
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('completed');
    expect((await noticesOf(market.ctx, bid.seller)).map(({ content }) => content)).toContain(
      `The bank has confirmed the payment for “${bid.coupon.title}”.`,
    );
  });

  it('lost while held: the coupon returns and the claim ends', async () => {
    const bid = await market.paidBid({ by });
    await claim(bid);
    const dispute = await openDispute(bid, by);
    await market.deliverAll();
    await closeDispute(dispute, by, 'lost');
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'charged_back', isDisputed: false });
    expect(await couponOf(market.ctx, bid)).toEqual({
      ownerId: bid.seller.id,
      isActive: false,
      heldBy: null,
    });
    expect(await balancesOf(bid)).toEqual({ provider_clearing: -costs, provider_fees: costs });
    const { items } = await listClaims(as(moderator), { onlyOpen: true, page: 1, limit: 100 });
    expect(items.filter(({ bidId }) => bidId === bid.id)).toEqual([]);
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('charged_back');
  });

  it('lost after the payout: the coupon returns, and the payout is reversed if the provider can do that', async () => {
    const bid = await market.paidBid({ by });
    await confirmReceipt(as(bid.buyer), bid.id);
    const dispute = await openDispute(bid, by);
    await closeDispute(dispute, by, 'lost');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('charged_back');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    await Promise.all([reconcilePayments(market.ctx), reconcilePayments(market.ctx)]);
    expect(await balancesOf(bid)).toEqual(
      by === 'stripe'
        ? { provider_clearing: -1_560, provider_fees: 1_560 }
        : // PayPal has no way to take it back from the seller: it is the seller's debt.
          { provider_clearing: -950, seller_payable: 890, provider_fees: 60 },
    );
  });

  it('disputed during the payout is not paid out', async () => {
    const bid = await market.paidBid({ by });
    const dispute = await openDispute(bid, by);
    // Its event has not come yet.
    expect(await confirmReceipt(as(bid.buyer), bid.id)).toMatchObject({
      status: 'releasing',
      isDisputed: true,
    });
    expect((await bookedOf(market.ctx, bid)).map(({ journal }) => journal)).not.toContain('payout');
    await closeDispute(dispute, by, 'won');
    await market.deliverAll();
    market.ctx.clock.advanceDays(2 * MINUTE);
    await reconcilePayments(market.ctx);
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('lost before the first event arrived is charged back', async () => {
    const bid = await paidUnheard(by);
    await closeDispute(await openDispute(bid, by), by, 'lost');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('charged_back');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    expect(await balancesOf(bid)).toEqual({ provider_clearing: -costs, provider_fees: costs });
  });
});
