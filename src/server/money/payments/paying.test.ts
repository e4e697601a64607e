import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Fault } from '#sandbox/server.ts';
import type { Actor } from '#server/context/context.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import {
  bidStatusOf,
  bookedOf,
  CARDS,
  captured,
  couponOf,
  paymentOf,
  paymentsOf,
  refreshed,
  setUpMarket,
} from '#tests/support/payments.ts';
import { capturePaypalOrder } from './service.ts';

const market = setUpMarket({
  sandbox: {
    fault: ({ method, path }) => (fault && `${method} ${path}`.startsWith(fault.request) ? fault.kind : null),
  },
});
let seller: Actor;
/** The fault in requests whose method and path begin so. */
let fault: { request: string; kind: Fault } | null = null;
beforeAll(async () => {
  seller = await market.readySeller();
});
afterEach(() => {
  fault = null;
});

const as = (actor: Actor) => actingAs(market.ctx, actor);
const acceptedBid = (given: { seller?: Actor } = {}) => market.acceptedBid({ seller, ...given });

describe('the payment of a bid', () => {
  it('is reused by a second Pay Now [spec/2 7.11]', async () => {
    const bid = await acceptedBid();
    const first = await market.intentOf(bid);
    expect(await market.intentOf(bid)).toEqual(first);
    const other = await acceptedBid();
    const order = await market.orderOf(other);
    expect(await market.orderOf(other)).toEqual(order);
    expect(await paymentsOf(market.ctx, other)).toHaveLength(1);
  });

  it('is given up for a payment at the other provider, and can no longer be paid', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    const { orderId } = await market.orderOf(bid);
    const [card, paypal, ...others] = await paymentsOf(market.ctx, bid);
    expect(others).toEqual([]);
    expect(card).toMatchObject({ provider: 'stripe', status: 'cancelled' });
    expect(paypal).toMatchObject({ provider: 'paypal', status: 'open', paypalOrderId: orderId });
    const state = await market.ctx.providers.payments.stripe?.readPayment(card?.stripePaymentIntentId ?? '');
    expect(state?.status).toBe('cancelled');
    await expect(market.stripe.confirmWithCard(clientSecret, CARDS.good)).rejects.toThrow();

    // Switch back: the PayPal order that was approved meanwhile is not captured.
    await market.paypal.approveOrder(orderId);
    await market.intentOf(bid);
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'There is no PayPal payment to complete for this bid.',
    });
    expect((await paymentsOf(market.ctx, bid)).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'open',
    ]);
  });

  it('is opened by one of two windows, and the other is told', async () => {
    const bid = await acceptedBid();
    fault = { request: 'POST /v1/payment_intents', kind: 'stall-after' };
    const first = market.intentOf(bid);
    await expect.poll(async () => (await paymentsOf(market.ctx, bid)).length).toBe(1);
    await expect(market.orderOf(bid)).rejects.toMatchObject({
      code: 'payment_changed',
      message:
        'You are already paying for this bid in another window. Continue there, or try again in a minute.',
    });
    fault = null;
    await first;
    expect(await paymentsOf(market.ctx, bid)).toMatchObject([{ status: 'open' }]);
  });

  it('counts if it succeeds while it is being given up', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    await expect(market.orderOf(bid)).rejects.toMatchObject({ code: 'deal_changed' });
    expect(await market.statusOf(bid)).toBe('held');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
  });

  it('is given up if the seller has changed accounts', async () => {
    const other = await market.readySeller(['paypal']);
    const bid = await acceptedBid({ seller: other });
    const { orderId } = await market.orderOf(bid);
    const { id } = await paymentOf(market.ctx, bid);
    const third = await market.readySeller(['paypal']);
    const { accountRef } = await market.ctx.db
      .selectFrom('sellerAccounts')
      .select('accountRef')
      .where('userId', '=', third.id)
      .executeTakeFirstOrThrow();
    await market.ctx.db.deleteFrom('sellerAccounts').where('userId', '=', third.id).execute();
    await market.ctx.db
      .updateTable('sellerAccounts')
      .set({ accountRef })
      .where('userId', '=', other.id)
      .execute();
    const next = await market.orderOf(bid);
    expect(next.orderId).not.toBe(orderId);
    expect((await paymentsOf(market.ctx, bid)).map((payment) => [payment.id === id, payment.status])).toEqual(
      [
        [true, 'cancelled'],
        [false, 'open'],
      ],
    );
  });

  it('is created once even if the answer was lost', async () => {
    const bid = await acceptedBid();
    fault = { request: 'POST /v1/payment_intents', kind: 'cut-after' };
    await expect(market.intentOf(bid)).rejects.toMatchObject({ code: 'payments_unavailable' });
    fault = null;
    expect(await paymentOf(market.ctx, bid)).toMatchObject({
      status: 'created',
      stripePaymentIntentId: null,
    });
    await market.intentOf(bid);
    expect(await market.statusOf(bid)).toBe('open');
    await expect(market.payByCard(bid)).resolves.toMatchObject({ status: 'held' });
  });

  it('is found by the reconciler if nobody tries again', async () => {
    const bid = await acceptedBid();
    fault = { request: 'POST /v2/checkout/orders', kind: 'error-after' };
    await expect(market.orderOf(bid)).rejects.toMatchObject({
      code: 'payments_unavailable',
      message: TEXTS.checkout.unavailable(),
    });
    fault = null;
    market.ctx.clock.advanceDays(0.01);
    await reconcilePayments(market.ctx);
    const { status, paypalOrderId } = await paymentOf(market.ctx, bid);
    expect(status).toBe('open');
    expect(await market.orderOf(bid)).toMatchObject({ orderId: paypalOrderId });
  });
});

describe('paying by card', () => {
  it('succeeds on the same intent after a decline', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    await market.stripe.confirmWithCard(clientSecret, CARDS.declined);
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({ status: 'open' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: bid.id });
    await market.stripe.confirmWithCard(clientSecret, CARDS.insufficientFunds);
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({ status: 'held' });
    expect(await paymentsOf(market.ctx, bid)).toHaveLength(1);
  });

  it('changes nothing until the bank has confirmed it', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    expect(await market.stripe.confirmWithCard(clientSecret, CARDS.challenge)).toBe('requires_action');
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({ status: 'open' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    expect(await bookedOf(market.ctx, bid)).toEqual([]);
    // The buyer closes the bank's dialog and opens it again.
    expect(await market.answerChallenge(clientSecret, false)).toBe('requires_payment_method');
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({ status: 'open' });
    await market.stripe.confirmWithCard(clientSecret, CARDS.challenge);
    expect(await market.answerChallenge(clientSecret)).toBe('succeeded');
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({ status: 'held' });
  });

  it('while processing changes nothing and keeps the bid past its 48 hours', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await market.intentOf(bid);
    expect(await market.stripe.confirmWithCard(clientSecret, CARDS.processing)).toBe('processing');
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({
      status: 'processing',
      holdUntil: null,
    });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    await expect(market.intentOf(bid)).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'This bid is already being paid. Check it again in a moment.',
    });
    market.ctx.clock.advanceDays(3);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    await market.stripe.finishProcessing((await paymentOf(market.ctx, bid)).stripePaymentIntentId ?? '');
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe('held');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
  });
});

describe('paying by PayPal', () => {
  it('captures nothing that the buyer has not approved', async () => {
    const bid = await acceptedBid();
    await market.orderOf(bid);
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_declined',
    });
    expect(await market.statusOf(bid)).toBe('open');
    expect(await market.payByPaypal(bid)).toMatchObject({ status: 'held' });
  });

  it('reports a decline, and can be approved again at once', async () => {
    const bid = await acceptedBid();
    const { orderId } = await market.orderOf(bid);
    await market.paypal.approveOrder(orderId, 'declined');
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_declined',
    });
    expect(await market.payByPaypal(bid)).toMatchObject({ status: 'held' });
    expect(await paymentsOf(market.ctx, bid)).toHaveLength(1);
  });

  it.each([
    ['COMPLETED', 'held'],
    ['DECLINED', 'failed'],
  ] as const)('that is pending first and then %s ends as %s', async (outcome, status) => {
    const bid = await acceptedBid();
    const { orderId } = await market.orderOf(bid);
    await market.paypal.approveOrder(orderId, 'pending');
    expect(await captured(as(bid.buyer), bid.id)).toMatchObject({ status: 'processing' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    await market.paypal.settlePending(await captureOf(orderId), outcome);
    await market.deliverAll();
    expect(await market.statusOf(bid)).toBe(status);
    if (outcome === 'DECLINED') {
      // The bid stays accepted, and the buyer pays another way.
      expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
      expect(await market.payByCard(bid)).toMatchObject({ status: 'held' });
    }
  });

  it('counts even if the answer to the capture was lost', async () => {
    const bid = await acceptedBid();
    const { orderId } = await market.orderOf(bid);
    await market.paypal.approveOrder(orderId);
    fault = { request: `POST /v2/checkout/orders/${orderId}/capture`, kind: 'cut-after' };
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payments_unavailable',
    });
    fault = null;
    expect(await market.statusOf(bid)).toBe('processing');
    // A second click captures nothing.
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_changed',
    });
    expect(await refreshed(as(bid.buyer), bid.id)).toMatchObject({ status: 'held' });
  });
});

/** The id of an order's capture. */
async function captureOf(orderId: string): Promise<string> {
  const state = await market.ctx.providers.payments.paypal?.readPayment(orderId);
  return state?.chargeRef ?? '';
}
