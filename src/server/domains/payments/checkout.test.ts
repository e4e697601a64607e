import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import { placeBid, setBidStatus } from '#server/domains/bids/service.ts';
import type { Actor } from '#server/domains/context.ts';
import type { Fault } from '#server/sandbox/server.ts';
import { actingAs, createCoupon, createUser } from '#server/testing/builders.ts';
import { noticesOf } from '#server/testing/exchanges.ts';
import {
  type AcceptedBid,
  bidStatusOf,
  bookedOf,
  CARDS,
  couponOf,
  type Market,
  openMarket,
  paymentOf,
  paymentsOf,
} from '#server/testing/payments.ts';
import { lapseUnpaidBids, reconcilePayments } from './reconcile.ts';
import {
  capturePaypalOrder,
  checkout,
  createPaymentIntent,
  createPaypalOrder,
  paymentClient,
  refreshPayment,
} from './service.ts';

let market: Market;
let seller: Actor;
/** The fault injected into requests whose method and path start so. */
let fault: { request: string; kind: Fault } | null = null;

beforeAll(async () => {
  market = await openMarket({
    sandbox: {
      fault: ({ method, path }) =>
        fault && `${method} ${path}`.startsWith(fault.request) ? fault.kind : null,
    },
  });
  seller = await market.readySeller();
});
afterEach(() => {
  fault = null;
});
afterAll(async () => {
  expect(await market.broken()).toEqual([]);
  await market.close();
});

const as = (actor: Actor) => actingAs(market.ctx, actor);
const acceptedBid = (given: { seller?: Actor; amount?: number } = {}) =>
  market.acceptedBid({ seller, ...given });
const intentOf = (bid: AcceptedBid) => createPaymentIntent(as(bid.buyer), { bidId: bid.id, keepCard: false });
const orderOf = (bid: AcceptedBid) => createPaypalOrder(as(bid.buyer), bid.id);
const statusOf = async (bid: AcceptedBid) => (await paymentOf(market.ctx, bid)).status;

/** All three ways to begin to pay. */
const WAYS = [
  ['checkout', (actor: Actor, bidId: number) => checkout(as(actor), bidId)],
  [
    'createIntent',
    (actor: Actor, bidId: number) => createPaymentIntent(as(actor), { bidId, keepCard: false }),
  ],
  ['createPaypalOrder', (actor: Actor, bidId: number) => createPaypalOrder(as(actor), bidId)],
  ['capturePaypalOrder', (actor: Actor, bidId: number) => capturePaypalOrder(as(actor), bidId)],
] as const;

describe('what is due', () => {
  it('is the bid and 5% of it, through whom the seller can be paid', async () => {
    const bid = await acceptedBid({ amount: 310 });
    expect(await checkout(as(bid.buyer), bid.id)).toEqual({
      bidId: bid.id,
      amount: '3.10',
      buyerFee: '0.16',
      buyerTotal: '3.26',
      providers: ['stripe', 'paypal'],
    });
    const payer = await acceptedBid({ seller: await market.readySeller(['paypal']) });
    expect((await checkout(as(payer.buyer), payer.id)).providers).toEqual(['paypal']);
    await expect(intentOf(payer)).rejects.toMatchObject({ code: 'seller_not_ready' });
  });

  it('is written onto the payment with the fees as they are now', async () => {
    const bid = await acceptedBid({ amount: 310 });
    await intentOf(bid);
    expect(await paymentOf(market.ctx, bid)).toMatchObject({
      senderId: bid.buyer.id,
      receiverId: bid.seller.id,
      provider: 'stripe',
      currency: 'CAD',
      feePercent: 5,
      amount: '3.10',
      buyerFee: '0.16',
      sellerFee: '0.16',
      platformFee: '0.32',
      netAmount: '2.94',
      status: 'open',
      paidAt: null,
    });
  });

  it('is told to the browser together with the scripts that it needs', () => {
    expect(paymentClient(market.ctx)).toMatchObject({
      isSandbox: true,
      stripe: { scriptUrl: '/sandbox/stripe/browser/stripe.js' },
      paypal: { sdkBaseUrl: '/sandbox/paypal/browser/sdk.js' },
    });
  });
});

describe.each(WAYS)('%s', (_, act) => {
  it('is for the bidder alone', async () => {
    const bid = await acceptedBid();
    const notYours = { code: 'forbidden', message: TEXTS.checkout.notYours };
    await expect(act(bid.seller, bid.id)).rejects.toMatchObject(notYours);
    await expect(act(await createUser(market.ctx), bid.id)).rejects.toMatchObject(notYours);
    await expect(act(bid.buyer, 1e9)).rejects.toMatchObject({ code: 'not_found', message: 'Bid not found' });
  });

  it('wants an accepted bid', async () => {
    const buyer = await createUser(market.ctx);
    const coupon = await createCoupon(market.ctx, seller);
    const { id } = await placeBid(as(buyer), { couponId: coupon.id, amount: '10.00', message: null });
    const notAccepted = { code: 'bid_not_accepted', message: TEXTS.checkout.notAccepted };
    await expect(act(buyer, id)).rejects.toMatchObject(notAccepted);
    await setBidStatus(as(seller), { id, status: 'rejected' });
    await expect(act(buyer, id)).rejects.toMatchObject(notAccepted);
  });

  it('ends with the 48 hours, and with the payment', async () => {
    const bid = await acceptedBid();
    market.ctx.clock.advanceDays(2);
    await expect(act(bid.buyer, bid.id)).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'The time to pay for this bid is over.',
    });
    await lapseUnpaidBids(market.ctx);
    const paid = await market.paidBid({ seller });
    await expect(act(paid.buyer, paid.id)).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This bid has been paid already.',
    });
  });
});

describe('a seller who cannot be paid', () => {
  it.each(WAYS.slice(0, 3))('is told once that a buyer wants to pay: %s', async (_, act) => {
    const poor = await createUser(market.ctx);
    const bid = await acceptedBid({ seller: poor });
    const notReady = {
      code: 'seller_not_ready',
      message: expect.stringMatching(
        /^Seller must complete their payment account setup before receiving payments/,
      ),
    };
    await expect(act(bid.buyer, bid.id)).rejects.toMatchObject(notReady);
    await expect(act(bid.buyer, bid.id)).rejects.toMatchObject(notReady);
    const told = (await noticesOf(market.ctx, poor)).filter(({ link }) => link === '/seller-onboarding');
    expect(told.map(({ content }) => content)).toEqual([
      expect.stringContaining(`${bid.buyer.username} wants to pay you`),
    ]);
    expect(await paymentsOf(market.ctx, bid)).toEqual([]);
  });

  it.each(WAYS)('%s says that the payment system is unavailable where there is none', async (_, act) => {
    const bid = await acceptedBid();
    const providers = {
      ...market.ctx.providers,
      payments: { stripe: null, paypal: null },
      paymentClient: { isSandbox: false, stripe: null, paypal: null },
    };
    const alone = { ...market.ctx, providers };
    const calls = {
      checkout: () => checkout(actingAs(alone, bid.buyer), bid.id),
      createIntent: () => createPaymentIntent(actingAs(alone, bid.buyer), { bidId: bid.id, keepCard: false }),
      createPaypalOrder: () => createPaypalOrder(actingAs(alone, bid.buyer), bid.id),
      capturePaypalOrder: () => capturePaypalOrder(actingAs(alone, bid.buyer), bid.id),
    };
    const name = WAYS.find((way) => way[1] === act)?.[0] ?? 'checkout';
    await expect(calls[name]()).rejects.toMatchObject({
      code: 'payments_unavailable',
      message: TEXTS.checkout.unavailable,
    });
  });
});

describe('the one payment of a bid', () => {
  it('is used again on a second Pay Now', async () => {
    const bid = await acceptedBid();
    const first = await intentOf(bid);
    expect(await intentOf(bid)).toEqual(first);
    const other = await acceptedBid();
    const order = await orderOf(other);
    expect(await orderOf(other)).toEqual(order);
    expect(await paymentsOf(market.ctx, other)).toHaveLength(1);
  });

  it('is given up for one by the other way, and cannot be paid any more', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    const { orderId } = await orderOf(bid);
    const [card, paypal, ...others] = await paymentsOf(market.ctx, bid);
    expect(others).toEqual([]);
    expect(card).toMatchObject({ provider: 'stripe', status: 'cancelled' });
    expect(paypal).toMatchObject({ provider: 'paypal', status: 'open', paypalOrderId: orderId });
    const state = await market.ctx.providers.payments.stripe?.readPayment(card?.stripePaymentIntentId ?? '');
    expect(state?.status).toBe('cancelled');
    await expect(market.stripe.confirmWithCard(clientSecret, CARDS.good)).rejects.toThrow();

    // Switch back: the PayPal order that was approved meanwhile is not captured.
    await market.paypal.approveOrder(orderId);
    await intentOf(bid);
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'There is no PayPal payment of this bid to complete.',
    });
    expect((await paymentsOf(market.ctx, bid)).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'open',
    ]);
  });

  it('counts when it comes through in the moment in which it is given up', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    await expect(orderOf(bid)).rejects.toMatchObject({ code: 'deal_changed' });
    expect(await statusOf(bid)).toBe('held');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
  });

  it('is given up when the seller has changed accounts', async () => {
    const other = await market.readySeller(['paypal']);
    const bid = await acceptedBid({ seller: other });
    const { orderId } = await orderOf(bid);
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
    const next = await orderOf(bid);
    expect(next.orderId).not.toBe(orderId);
    expect((await paymentsOf(market.ctx, bid)).map((payment) => [payment.id === id, payment.status])).toEqual(
      [
        [true, 'cancelled'],
        [false, 'open'],
      ],
    );
  });

  it('is made once although the answer to its making was lost', async () => {
    const bid = await acceptedBid();
    fault = { request: 'POST /v1/payment_intents', kind: 'cut-after' };
    await expect(intentOf(bid)).rejects.toMatchObject({ code: 'payments_unavailable' });
    fault = null;
    expect(await paymentOf(market.ctx, bid)).toMatchObject({
      status: 'created',
      stripePaymentIntentId: null,
    });
    await intentOf(bid);
    expect(await statusOf(bid)).toBe('open');
    await expect(market.payByCard(bid)).resolves.toMatchObject({ status: 'held' });
  });

  it('is found by the reconciler when nobody asks again', async () => {
    const bid = await acceptedBid();
    fault = { request: 'POST /v2/checkout/orders', kind: 'error-after' };
    await expect(orderOf(bid)).rejects.toMatchObject({
      code: 'payments_unavailable',
      message: TEXTS.checkout.unavailable,
    });
    fault = null;
    market.ctx.clock.advanceDays(0.01);
    await reconcilePayments(market.ctx);
    const { status, paypalOrderId } = await paymentOf(market.ctx, bid);
    expect(status).toBe('open');
    expect(await orderOf(bid)).toMatchObject({ orderId: paypalOrderId });
  });
});

describe('paying by card', () => {
  it('succeeds on the same intent after it was declined', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    await market.stripe.confirmWithCard(clientSecret, CARDS.declined);
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({ status: 'open' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: bid.id });
    await market.stripe.confirmWithCard(clientSecret, CARDS.insufficientFunds);
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({ status: 'held' });
    expect(await paymentsOf(market.ctx, bid)).toHaveLength(1);
  });

  it('waits for the bank’s word, and nothing moves before it', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    expect(await market.stripe.confirmWithCard(clientSecret, CARDS.challenge)).toBe('requires_action');
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({ status: 'open' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    expect(await bookedOf(market.ctx, bid)).toEqual([]);
    // The buyer closes the bank's dialog and opens it again.
    expect(await market.answerChallenge(clientSecret, false)).toBe('requires_payment_method');
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({ status: 'open' });
    await market.stripe.confirmWithCard(clientSecret, CARDS.challenge);
    expect(await market.answerChallenge(clientSecret)).toBe('succeeded');
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({ status: 'held' });
  });

  it('that is being processed moves nothing, and keeps the bid past its 48 hours', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    expect(await market.stripe.confirmWithCard(clientSecret, CARDS.processing)).toBe('processing');
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({
      status: 'processing',
      holdUntil: null,
    });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    await expect(intentOf(bid)).rejects.toMatchObject({
      code: 'payment_changed',
      message: 'This bid is being paid already. Look at it again in a moment.',
    });
    market.ctx.clock.advanceDays(3);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    await market.stripe.finishProcessing((await paymentOf(market.ctx, bid)).stripePaymentIntentId ?? '');
    await market.deliverAll();
    expect(await statusOf(bid)).toBe('held');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
  });
});

describe('paying by PayPal', () => {
  it('takes nothing that the buyer has not approved', async () => {
    const bid = await acceptedBid();
    await orderOf(bid);
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_declined',
    });
    expect(await statusOf(bid)).toBe('open');
    expect(await market.payByPaypal(bid)).toMatchObject({ status: 'held' });
  });

  it('says when it was declined, and can be approved anew at once', async () => {
    const bid = await acceptedBid();
    const { orderId } = await orderOf(bid);
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
  ] as const)('that clears later is %s and %s', async (outcome, status) => {
    const bid = await acceptedBid();
    const { orderId } = await orderOf(bid);
    await market.paypal.approveOrder(orderId, 'pending');
    expect(await capturePaypalOrder(as(bid.buyer), bid.id)).toMatchObject({ status: 'processing' });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    await market.paypal.settlePending(await captureOf(orderId), outcome);
    await market.deliverAll();
    expect(await statusOf(bid)).toBe(status);
    if (outcome === 'DECLINED') {
      // The bid stays accepted, and the buyer pays another way.
      expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
      expect(await market.payByCard(bid)).toMatchObject({ status: 'held' });
    }
  });

  it('counts although the answer to the capture was lost', async () => {
    const bid = await acceptedBid();
    const { orderId } = await orderOf(bid);
    await market.paypal.approveOrder(orderId);
    fault = { request: `POST /v2/checkout/orders/${orderId}/capture`, kind: 'cut-after' };
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payments_unavailable',
    });
    fault = null;
    expect(await statusOf(bid)).toBe('processing');
    // A second click captures nothing.
    await expect(capturePaypalOrder(as(bid.buyer), bid.id)).rejects.toMatchObject({
      code: 'payment_changed',
    });
    expect(await refreshPayment(as(bid.buyer), bid.id)).toMatchObject({ status: 'held' });
  });
});

/** PayPal's capture id of an order. */
async function captureOf(orderId: string): Promise<string> {
  const state = await market.ctx.providers.payments.paypal?.readPayment(orderId);
  return state?.chargeRef ?? '';
}

describe('a bid that nobody pays', () => {
  it('ends after 48 hours, and its intent with it', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    market.ctx.clock.advanceDays(2 - 1 / 86_400);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    market.ctx.clock.advanceDays(1 / 86_400);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
    expect(await statusOf(bid)).toBe('cancelled');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    await expect(market.stripe.confirmWithCard(clientSecret, CARDS.good)).rejects.toThrow();
  });

  it('counts when the card went through before anybody looked', async () => {
    const bid = await acceptedBid();
    const { clientSecret } = await intentOf(bid);
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    market.ctx.clock.advanceDays(2.5);
    await reconcilePayments(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('completed');
    expect(await statusOf(bid)).toBe('held');
  });

  it('stays while the provider cannot be asked: it may have been paid', async () => {
    const bid = await acceptedBid();
    await intentOf(bid);
    market.ctx.clock.advanceDays(2);
    fault = { request: 'POST /v1/payment_intents', kind: 'error-before' };
    await lapseUnpaidBids(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('accepted');
    fault = null;
    await lapseUnpaidBids(market.ctx);
    expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
  });
});
