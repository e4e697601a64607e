import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxStore } from '#sandbox/store.ts';
import { openStore } from '#sandbox/store.ts';
import { listClaims } from '#server/domains/claims/service.ts';
import type { Actor } from '#server/domains/context.ts';
import { receiveEvent } from '#server/domains/payments/events.ts';
import { confirmReceipt, decideClaim, openClaim } from '#server/domains/payments/protection.ts';
import { lapseUnpaidBids, reconcilePayments } from '#server/domains/payments/reconcile.ts';
import { capturePaypalOrder, createPaypalOrder, refreshPayment } from '#server/domains/payments/service.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { MANY_CONNECTIONS } from '#server/testing/database.ts';
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
  stripeSignature,
} from '#server/testing/payments.ts';
import {
  expectNoDeadlock,
  inRounds,
  itInRounds,
  loserOf,
  openConnections,
  race,
  refusalOf,
  takeTurns,
} from '#server/testing/races.ts';

const HOUR_MS = 3_600_000;

let market: Market;
let store: SandboxStore;
let seller: Actor;
let moderator: Actor;

beforeAll(async () => {
  store = openStore();
  market = await openMarket({ sandbox: { store }, connections: MANY_CONNECTIONS });
  seller = await market.readySeller();
  moderator = await createUser(market.ctx, { role: 'moderator' });
  await openConnections(market.database, MANY_CONNECTIONS);
});
afterAll(() => market.close());

const as = (actor: Actor) => actingAs(market.ctx, actor);

const journalsOf = async (bid: AcceptedBid) =>
  [...new Set((await bookedOf(market.ctx, bid)).map(({ journal }) => journal))].sort();

async function claimOf(bid: AcceptedBid): Promise<number> {
  await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The code does not work.' });
  const { items } = await listClaims(as(moderator), { onlyOpen: false, page: 1, limit: 1 });
  if (items[0]?.bidId !== bid.id) throw new Error('There is another claim');
  return items[0].id;
}

describe('of two calls at once, one wins and no money is lost', () => {
  afterEach(async () => expect(await market.broken()).toEqual([]));

  it('a card payment against the 48 hours', async () => {
    const outcomes = new Set<string>();
    await inRounds(async (round) => {
      const bid = await market.acceptedBid({ seller });
      const { clientSecret } = await market.intentOf(bid);
      market.ctx.clock.advanceDays(2);
      const pairUp = round < 2 ? takeTurns : race;
      const [payment, lapse] = await pairUp(
        round,
        async () => {
          await market.stripe.confirmWithCard(clientSecret, CARDS.good);
          await refreshPayment(as(bid.buyer), bid.id);
        },
        () => lapseUnpaidBids(market.ctx),
      );
      expect(lapse.status).toBe('fulfilled');
      const isPaid = payment.status === 'fulfilled';
      expect(await market.statusOf(bid)).toBe(isPaid ? 'held' : 'cancelled');
      expect(await bidStatusOf(market.ctx, bid)).toBe(isPaid ? 'completed' : 'cancelled');
      const { ownerId, heldBy } = await couponOf(market.ctx, bid);
      expect([ownerId, heldBy]).toEqual(isPaid ? [bid.buyer.id, bid.id] : [seller.id, null]);
      outcomes.add(payment.status);
    });
    expect(outcomes.size).toBe(2);
  });

  itInRounds('a capture in the last second against the 48 hours', async (round) => {
    const bid = await market.acceptedBid({ seller });
    const { orderId } = await createPaypalOrder(as(bid.buyer), bid.id);
    await market.paypal.approveOrder(orderId);
    const lastSecond = new Date(market.ctx.clock().getTime() + 48 * HOUR_MS - 1_000);
    market.ctx.clock.advanceDays(2);
    const early = actingAs({ ...market.ctx, clock: () => lastSecond }, bid.buyer);
    const [payment] = await race(
      round,
      () => capturePaypalOrder(early, bid.id),
      () => lapseUnpaidBids(market.ctx),
    );
    if (payment.status === 'fulfilled') {
      expect(payment.value.status).toBe('held');
      expect(await bidStatusOf(market.ctx, bid)).toBe('completed');
    } else {
      refusalOf(payment);
      expect(await market.statusOf(bid)).toBe('cancelled');
      expect(await bidStatusOf(market.ctx, bid)).toBe('cancelled');
      const order = await market.ctx.providers.payments.paypal?.readPayment(orderId);
      expect(order?.chargeRef).toBeNull();
    }
  });

  itInRounds('confirm against claim', async (round) => {
    const bid = await market.paidBid({ seller });
    const [confirm, claim] = await race(
      round,
      () => confirmReceipt(as(bid.buyer), bid.id),
      () => openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The code does not work.' }),
    );
    const refusal = loserOf(confirm, claim);
    expect(refusal.code).toBe('payment_changed');
    expect(await market.statusOf(bid)).toBe(confirm.status === 'fulfilled' ? 'completed' : 'held');
  });

  itInRounds('refund against release', async (round) => {
    const by = round % 4 < 2 ? 'stripe' : 'paypal';
    const bid = await market.paidBid({ seller, by });
    const id = await claimOf(bid);
    const [refund, release] = await race(
      round,
      () => decideClaim(as(moderator), { id, decision: 'refund', note: 'It is so.' }),
      () => decideClaim(as(moderator), { id, decision: 'release', note: 'It is not so.' }),
    );
    expect(loserOf(refund, release).message).toBe('This claim is no longer open.');
    const isRefunded = refund.status === 'fulfilled';
    expect(await market.statusOf(bid)).toBe(isRefunded ? 'refunded' : 'completed');
    expect(await journalsOf(bid)).toEqual(
      ['capture', isRefunded ? 'refund' : 'payout', 'provider_fee'].sort(),
    );
    const { ownerId } = await couponOf(market.ctx, bid);
    expect(ownerId).toBe(isRefunded ? seller.id : bid.buyer.id);
  });

  itInRounds(
    'a payment settled by sixteen calls at once: its own answer, the webhook, the reconciler',
    async (round) => {
      const bid = await market.acceptedBid({ seller });
      const { clientSecret } = await market.intentOf(bid);
      await market.stripe.confirmWithCard(clientSecret, CARDS.good);
      const event = market.stripe.waiting().findLast(({ type }) => type === 'payment_intent.succeeded');
      const body = event?.body ?? '';
      market.ctx.clock.advanceDays(0.1);
      const ways = [
        () => refreshPayment(as(bid.buyer), bid.id),
        () => reconcilePayments(market.ctx),
        () =>
          receiveEvent(market.ctx, {
            provider: 'stripe',
            headers: { 'stripe-signature': stripeSignature(body) },
            read: async () => body,
          }),
      ];
      await Promise.all(Array.from({ length: 16 }, (_, index) => ways[(index + round) % 3]?.()));
      expect(await market.statusOf(bid)).toBe('held');
      expect(await bookedOf(market.ctx, bid)).toHaveLength(5);
    },
  );

  itInRounds('Pay Now twice makes one payment and one intent [spec/2 7.11]', async (round) => {
    const bid = await market.acceptedBid({ seller });
    const results = await race(
      round,
      () => market.intentOf(bid),
      () => market.intentOf(bid),
    );
    const secrets = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.clientSecret] : [],
    );
    for (const result of results) {
      // Stripe answers 409 while the same key is in use.
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'payments_unavailable' });
    }
    expect(new Set(secrets).size).toBe(1);
    const { publicId } = await paymentOf(market.ctx, bid);
    const intents = (await store.list('stripe.payment_intent')).filter((intent) =>
      JSON.stringify(intent).includes(`"transfer_group":"payment_${publicId}"`),
    );
    expect(intents).toHaveLength(1);
  });

  itInRounds('a card and PayPal in two windows: only one of them can be paid', async (round) => {
    const bid = await market.acceptedBid({ seller });
    const [card, paypal] = await race(
      round,
      () => market.intentOf(bid),
      () => createPaypalOrder(as(bid.buyer), bid.id),
    );
    const payments = await paymentsOf(market.ctx, bid);
    expect(payments.filter(({ status }) => status === 'open').length).toBeLessThan(2);
    for (const result of [card, paypal]) if (result.status === 'rejected') refusalOf(result);
    // Whatever the two windows do now, the buyer pays once.
    await Promise.allSettled([
      card.status === 'fulfilled' ? market.stripe.confirmWithCard(card.value.clientSecret, CARDS.good) : null,
      paypal.status === 'fulfilled' ? market.paypal.approveOrder(paypal.value.orderId) : null,
    ]);
    await Promise.allSettled([
      capturePaypalOrder(as(bid.buyer), bid.id),
      refreshPayment(as(bid.buyer), bid.id),
    ]);
    // Each may have cancelled the other; then the buyer pays again.
    if ((await bidStatusOf(market.ctx, bid)) === 'accepted') await market.payByCard(bid);
    const after = await paymentsOf(market.ctx, bid);
    expect(after.filter(({ status }) => status === 'held')).toHaveLength(1);
    expect(after.filter(({ paidAt }) => paidAt !== null)).toHaveLength(1);
  });

  itInRounds('a PayPal payment captured twice', async (round) => {
    const bid = await market.acceptedBid({ seller });
    const { orderId } = await createPaypalOrder(as(bid.buyer), bid.id);
    await market.paypal.approveOrder(orderId);
    const capture = () => capturePaypalOrder(as(bid.buyer), bid.id);
    loserOf(...(await race(round, capture, capture)));
    expect(await market.statusOf(bid)).toBe('held');
  });

  it('a payout confirmed by the buyer against one by the job', async () => {
    await inRounds(async (round) => {
      const bid = await market.paidBid({ seller, by: round % 4 < 2 ? 'stripe' : 'paypal' });
      market.ctx.clock.advanceDays(3);
      await race(
        round,
        () => confirmReceipt(as(bid.buyer), bid.id),
        () => reconcilePayments(market.ctx),
      );
      market.ctx.clock.advanceDays(0.1);
      await reconcilePayments(market.ctx);
      expect(await market.statusOf(bid)).toBe('completed');
    });
    const paid = [...(await store.list('stripe.transfer')), ...(await store.list('paypal.payout_item'))];
    const completed = await market.ctx.db
      .selectFrom('paymentTransactions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'completed')
      .executeTakeFirstOrThrow();
    expect(paid).toHaveLength(completed.count);
  });
});

it('met no deadlock, not even one that a retry solved', async () => {
  await market.app.close();
  await market.database.pool.end();
  await expectNoDeadlock(market.database);
});
