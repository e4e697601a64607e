import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { exchangeById, setExchangeStatus } from '#server/domains/exchanges/service.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { lapseUnpaidBids } from '#server/domains/payments/reconcile.ts';
import { refreshPayment } from '#server/domains/payments/service.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { MANY_CONNECTIONS } from '#server/testing/database.ts';
import { acceptedRing, acceptedSwap, ownersOf, type PricedExchange } from '#server/testing/leg-prices.ts';
import { type AcceptedBid, CARDS, type Market, openMarket, paymentsOf } from '#server/testing/payments.ts';
import {
  expectNoDeadlock,
  inRounds,
  itInRounds,
  openConnections,
  race,
  takeTurns,
} from '#server/testing/races.ts';

/** The payments of an exchange against each other and against its end: all coupons move and all is paid, or neither. */

let market: Market;
let admin: Actor;

beforeAll(async () => {
  market = await openMarket({ connections: MANY_CONNECTIONS });
  admin = await createUser(market.ctx, { role: 'admin' });
  await openConnections(market.database, MANY_CONNECTIONS);
});
afterAll(() => market.close());

const as = (actor: Actor) => actingAs(market.ctx, actor);

/** Begins to pay by card. @returns pays it */
async function aboutToPay(bid: AcceptedBid): Promise<() => Promise<unknown>> {
  const { clientSecret } = await market.intentOf(bid);
  return async () => {
    await market.stripe.confirmWithCard(clientSecret, CARDS.good);
    return refreshPayment(as(bid.buyer), bid.id);
  };
}

/** Expects that all was done or nothing, and that money for nothing is back. */
async function expectAllOrNothing(exchange: PricedExchange): Promise<string> {
  const [author] = exchange.people;
  if (!author) throw new Error('An exchange has an author');
  const { status } = await exchangeById(as(author), exchange.id);
  const isDone = status === 'completed';
  const count = exchange.people.length;
  const owners = exchange.people.map((_, place) => (isDone ? (place + 1) % count : place));
  expect(await ownersOf(market.ctx, exchange)).toEqual(owners);
  for (let runs = 0; runs < 2; runs += 1) await market.passDays(1 / 24);
  for (const bid of exchange.bids) {
    const made = (await paymentsOf(market.ctx, bid)).map((payment) => payment.status);
    expect(isDone ? ['held'] : ['cancelled', 'refunded']).toContain(made.at(-1));
  }
  return status;
}

describe('the last payment of an exchange', () => {
  afterEach(async () => expect(await market.broken()).toEqual([]));

  it('against the 48 hours', async () => {
    const outcomes = new Set<string>();
    await inRounds(async (round) => {
      const swap = await acceptedSwap(market);
      const pay = await aboutToPay(swap.bid);
      market.ctx.clock.advanceDays(2);
      await (round < 2 ? takeTurns : race)(round, pay, () => lapseUnpaidBids(market.ctx));
      outcomes.add(await expectAllOrNothing(swap));
    });
    expect(outcomes.size).toBe(2);
  });

  it('against a ban', async () => {
    const outcomes = new Set<string>();
    await inRounds(async (round) => {
      const swap = await acceptedSwap(market);
      const pay = await aboutToPay(swap.bid);
      const { id } = swap.bid.seller;
      const ban = () => setUserStatus(as(admin), { id, status: 'banned', reason: 'So be it.' });
      await (round < 2 ? takeTurns : race)(round, pay, ban);
      outcomes.add(await expectAllOrNothing(swap));
    });
    expect(outcomes.size).toBe(2);
  });

  itInRounds('against somebody who cancels', async (round) => {
    const swap = await acceptedSwap(market);
    const pay = await aboutToPay(swap.bid);
    await race(round, pay, () =>
      setExchangeStatus(as(swap.bid.seller), { id: swap.id, status: 'cancelled' }),
    );
    await expectAllOrNothing(swap);
  });

  itInRounds('against another last one', async (round) => {
    const ring = await acceptedRing(market);
    const [one, other] = ring.bids;
    if (!one || !other) throw new Error('Two people pay');
    await race(round, await aboutToPay(one), await aboutToPay(other));
    expect(await expectAllOrNothing(ring)).toBe('completed');
  });

  itInRounds('against its own webhook, twice', async (round) => {
    const swap = await acceptedSwap(market);
    const pay = await aboutToPay(swap.bid);
    await race(round, pay, async () => {
      await market.deliverAll();
      await market.deliverAll();
    });
    await market.deliverAll();
    expect(await expectAllOrNothing(swap)).toBe('completed');
    expect(await paymentsOf(market.ctx, swap.bid)).toHaveLength(1);
  });
});

it('met no deadlock, not even one that a retry solved', async () => {
  await market.app.close();
  await market.database.pool.end();
  await expectNoDeadlock(market.database);
});
