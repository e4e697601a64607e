import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '#sandbox/server.ts';
import { openStore } from '#sandbox/store.ts';
import type { Actor } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { exchangeById, setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { answerClaim, listClaims } from '#server/money/claims/claims.ts';
import { confirmReceipt, decideClaim, openClaim } from '#server/money/claims/sale-claims.ts';
import { receiveEvent } from '#server/money/payments/events.ts';
import { lapseUnpaidBids } from '#server/money/payments/reconcile.ts';
import { capturePaypalOrder, refreshPayment } from '#server/money/payments/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { createTestDatabase, MANY_CONNECTIONS } from '#tests/support/database.ts';
import { acceptedRing, acceptedSwap, ownersOf, type PricedExchange } from '#tests/support/leg-prices.ts';
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
} from '#tests/support/payments.ts';
import {
  expectNoDeadlock,
  inRounds,
  itInRounds,
  openConnections,
  race,
  takeTurns,
} from '#tests/support/races.ts';
import { circleOf, type RecordedDatabase, recorded } from '#tests/support/serial-order.ts';

/** Two acts at once about money that tests/model does not make: it races people, but not the time to pay. */

const store = openStore();
const people = {} as Record<'admin' | 'moderator' | 'seller', Actor>;
let market: Market;
let database: RecordedDatabase;
beforeAll(async () => {
  database = await recorded(await createTestDatabase({ connections: MANY_CONNECTIONS }));
  market = await openMarket({ sandbox: { store }, database });
  people.seller = await market.readySeller();
  people.admin = await createUser(market.ctx, { role: 'admin' });
  people.moderator = await createUser(market.ctx, { role: 'moderator' });
  await openConnections(market.database, MANY_CONNECTIONS);
});
afterAll(() => market.close());

const as = (actor: Actor) => actingAs(market.ctx, actor);
const accepted = () => market.acceptedBid({ seller: people.seller });
const byRound = (round: number) => (round % 4 < 2 ? 'stripe' : 'paypal');
const reason = 'The code does not work.';

interface Pair {
  readonly acts: readonly [() => Promise<unknown>, () => Promise<unknown>];
  /** What holds after both. */
  state(): Promise<string>;
}

/** Begins to pay by card. @returns pays it */
async function aboutToPay(bid: AcceptedBid): Promise<() => Promise<unknown>> {
  const { clientSecret } = await market.intentOf(bid);
  return async () => {
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    return refreshPayment(as(bid.buyer), bid.id);
  };
}

/** The payment, the bid, who has the coupon, and whether a deal still holds it. */
async function saleState(bid: AcceptedBid): Promise<string> {
  const { ownerId, heldBy } = await couponOf(market.ctx, bid);
  const owner = ownerId === bid.buyer.id ? 'with the buyer' : 'with the seller';
  const statuses = [await market.statusOf(bid), await bidStatusOf(market.ctx, bid)];
  return [...statuses, owner, ...(heldBy === null ? [] : ['protected'])].join(' ');
}

/** An exchange with a payment to come, which somebody makes while `other` happens. All of it is done, or nothing. */
async function lastPayment(other: (swap: Awaited<ReturnType<typeof acceptedSwap>>) => Promise<unknown>) {
  const swap = await acceptedSwap(market);
  return { acts: [await aboutToPay(swap.bid), () => other(swap)] as const, state: () => wholeState(swap) };
}

async function wholeState(exchange: PricedExchange): Promise<string> {
  const [author] = exchange.people;
  if (!author) throw new Error('An exchange has an author');
  const { status } = await exchangeById(as(author), exchange.id);
  const isDone = status === 'completed';
  const count = exchange.people.length;
  const owners = exchange.people.map((_, place) => (isDone ? (place + 1) % count : place));
  expect(await ownersOf(market.ctx, exchange)).toEqual(owners);
  await market.deliverAll();
  for (let runs = 0; runs < 2; runs += 1) await market.passDays(1 / 24);
  for (const bid of exchange.bids) {
    const made = (await paymentsOf(market.ctx, bid)).map((payment) => payment.status);
    expect(isDone ? ['held'] : ['cancelled', 'refunded']).toContain(made.at(-1));
  }
  return isDone ? 'all is done' : 'nothing is done';
}

/**
 * Who does what against what, and how it may end: each act is done or refused, and what holds then. Of each race the ends
 * in `ends` occur, since the first rounds take turns; the others may.
 */
const RACES: Record<
  string,
  { prepare(round: number): Promise<Pair>; ends: readonly string[]; others?: readonly string[] }
> = {
  'a card payment, and the 48 hours': {
    async prepare() {
      const bid = await accepted();
      const pay = await aboutToPay(bid);
      market.ctx.clock.advanceDays(2);
      return { acts: [pay, () => lapseUnpaidBids(market.ctx)], state: () => saleState(bid) };
    },
    ends: [
      'done, done: held completed with the buyer protected',
      'refused, done: cancelled cancelled with the seller',
    ],
  },
  'a capture at PayPal in the last second, and the 48 hours': {
    async prepare() {
      const bid = await accepted();
      const { orderId } = await market.orderOf(bid);
      await market.paypal.approveOrder(orderId);
      const lastSecond = new Date(market.ctx.clock().getTime() + 2 * 86_400_000 - 1_000);
      market.ctx.clock.advanceDays(2);
      const early = actingAs({ ...market.ctx, clock: () => lastSecond }, bid.buyer);
      return {
        acts: [() => capturePaypalOrder(early, bid.id), () => lapseUnpaidBids(market.ctx)],
        async state() {
          const order = await market.ctx.providers.payments.paypal?.readPayment(orderId);
          return `${await saleState(bid)}, ${order?.chargeRef === null ? 'nothing' : 'money'} taken`;
        },
      };
    },
    ends: ['done, done: held completed with the buyer protected, money taken'],
    others: ['refused, done: cancelled cancelled with the seller, nothing taken'],
  },
  'a refund and a release': {
    async prepare(round) {
      const bid = await market.paidBid({ seller: await market.readySeller(), by: byRound(round) });
      await openClaim(as(bid.buyer), { bidId: bid.id, reason });
      const { items } = await listClaims(as(people.moderator), { onlyOpen: false, page: 1, limit: 1 });
      await answerClaim(as(bid.seller), { id: items[0]?.id ?? 0, answer: 'It worked for me.' });
      const decide = (decision: 'refund' | 'release') => () =>
        decideClaim(as(people.moderator), { id: items[0]?.id ?? 0, decision, note: 'It is so.' });
      return {
        acts: [decide('refund'), decide('release')],
        async state() {
          const journals = (await bookedOf(market.ctx, bid)).map(({ journal }) => journal);
          return `${await saleState(bid)}, booked ${[...new Set(journals)].sort().join(' ')}`;
        },
      };
    },
    ends: [
      'done, refused: refunded completed with the seller, booked capture provider_fee refund',
      'refused, done: completed completed with the buyer, booked capture payout provider_fee',
    ],
  },
  'a PayPal payment captured twice': {
    async prepare() {
      const bid = await accepted();
      const { orderId } = await market.orderOf(bid);
      await market.paypal.approveOrder(orderId);
      const capture = () => capturePaypalOrder(as(bid.buyer), bid.id);
      return { acts: [capture, capture], state: () => market.statusOf(bid) };
    },
    ends: ['done, refused: held', 'refused, done: held'],
  },
  'a payout confirmed by the buyer, and one by the job': {
    async prepare(round) {
      const bid = await market.paidBid({ seller: people.seller, by: byRound(round) });
      market.ctx.clock.advanceDays(3);
      return {
        acts: [() => confirmReceipt(as(bid.buyer), bid.id), () => reconcilePayments(market.ctx)],
        async state() {
          await market.passDays(0.1);
          const paid = [
            ...(await store.list('stripe.transfer')),
            ...(await store.list('paypal.payout_item')),
          ];
          const completed = market.ctx.db.selectFrom('paymentTransactions').where('status', '=', 'completed');
          expect(paid).toHaveLength((await completed.select('id').execute()).length);
          return market.statusOf(bid);
        },
      };
    },
    ends: ['done, done: completed', 'refused, done: completed'],
  },
  'the last payment of an exchange, and the 48 hours': {
    async prepare() {
      const pair = await lastPayment(() => lapseUnpaidBids(market.ctx));
      market.ctx.clock.advanceDays(2);
      return pair;
    },
    ends: ['done, done: all is done', 'refused, done: nothing is done'],
    others: ['done, done: nothing is done'],
  },
  'the last payment of an exchange, and a ban': {
    prepare: () =>
      lastPayment(({ bid }) =>
        setUserStatus(as(people.admin), { id: bid.seller.id, status: 'banned', reason }),
      ),
    ends: ['done, done: all is done', 'done, done: nothing is done'],
    others: ['refused, done: nothing is done'],
  },
  'the last payment of an exchange, and somebody who cancels': {
    prepare: () =>
      lastPayment(({ id, bid }) => setExchangeStatus(as(bid.seller), { id, status: 'cancelled' })),
    ends: ['done, refused: all is done', 'done, done: nothing is done'],
    others: ['refused, done: nothing is done'],
  },
  'the last payment of an exchange, and its own webhook, twice': {
    prepare: () => lastPayment(async () => [await market.deliverAll(), await market.deliverAll()]),
    ends: ['done, done: all is done'],
  },
  'two last payments of a ring': {
    async prepare() {
      const ring = await acceptedRing(market);
      const [one, other] = await Promise.all(ring.bids.map(aboutToPay));
      if (!one || !other) throw new Error('Two people pay');
      return { acts: [one, other], state: () => wholeState(ring) };
    },
    ends: ['done, done: all is done'],
  },
};

/** Whoever is refused is told so: by a conflict, or by the provider, which takes no money for what is cancelled. */
function outcomeOf(result: PromiseSettledResult<unknown>): 'done' | 'refused' {
  if (result.status === 'fulfilled') return 'done';
  const { reason } = result;
  if (reason instanceof Refusal || (reason instanceof AppError && reason.status === 409)) return 'refused';
  throw reason;
}

describe('of two acts at once, each is done or told why not, and no money is lost', () => {
  afterEach(async () => {
    const taken = await database.taken();
    expect(taken.filter(({ reads, writes }) => reads.length > 0 && writes.length > 0)).not.toEqual([]);
    expect(circleOf(taken)).toBeNull();
    expect(await market.broken()).toEqual([]);
  });

  it.each(Object.entries(RACES))('%s', async (_acts, { prepare, ends, others = [] }) => {
    const seen = new Set<string>();
    await inRounds(async (round) => {
      const { acts, state } = await prepare(round);
      const results = await (round < 2 ? takeTurns : race)(round, ...acts);
      const end = `${results.map(outcomeOf).join(', ')}: ${await state()}`;
      expect([...ends, ...others]).toContain(end);
      seen.add(end);
    });
    expect(ends.filter((end) => !seen.has(end))).toEqual([]);
  });

  itInRounds(
    'a payment settled by sixteen calls at once: its own answer, the webhook, the reconciler',
    async (round) => {
      const bid = await accepted();
      const { clientSecret } = await market.intentOf(bid);
      await market.stripe.confirmWithCard(clientSecret, CARDS.good);
      const event = market.stripe.waiting().findLast(({ type }) => type === 'payment_intent.succeeded');
      const body = event?.body ?? '';
      const headers = { 'stripe-signature': stripeSignature(body) };
      market.ctx.clock.advanceDays(0.1);
      const ways = [
        () => refreshPayment(as(bid.buyer), bid.id),
        () => reconcilePayments(market.ctx),
        () => receiveEvent(market.ctx, { provider: 'stripe', headers, read: async () => body }),
      ];
      await Promise.all(Array.from({ length: 16 }, (_, index) => ways[(index + round) % 3]?.()));
      expect(await market.statusOf(bid)).toBe('held');
      expect(await bookedOf(market.ctx, bid)).toHaveLength(5);
    },
  );

  itInRounds('Pay Now twice makes one payment and one intent [spec/2 7.11]', async (round) => {
    const bid = await accepted();
    const results = await race(
      round,
      () => market.intentOf(bid),
      () => market.intentOf(bid),
    );
    // Stripe answers 409 while the same key is in use.
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'payments_unavailable' });
    const secrets = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.clientSecret] : [],
    );
    expect(new Set(secrets).size).toBe(1);
    const { publicId } = await paymentOf(market.ctx, bid);
    const intents = (await store.list('stripe.payment_intent')).map((intent) => JSON.stringify(intent));
    expect(intents.filter((text) => text.includes(`"transfer_group":"payment_${publicId}"`))).toHaveLength(1);
  });
});

it('met no deadlock, not even one that a retry solved', async () => {
  await market.app.close();
  await market.database.pool.end();
  await expectNoDeadlock(market.database);
});
