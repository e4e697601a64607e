import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { type AcceptedBid, CARDS, setUpMarket } from '#tests/support/payments.ts';

/*
 * How many files of the product a call runs through once everything is warm: what somebody has to know who follows it. Only
 * functions with a name count, since vitest gives each export another one. A new station on these roads is a decision: raise
 * its number here with the reason in the commit.
 */
const FILES = {
  'a coupon by its id': 27,
  'a search': 36,
  'a bid accepted': 58,
  'a swap completed': 65,
  'a webhook to the ledger': 85,
};
/** On a busy machine, something timed may run meanwhile. */
const TIMED = 3;

const market = setUpMarket();
const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => session.disconnect());

async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    const [, file] = /\/src\/((?:contract|server)\/.*)/.exec(url) ?? [];
    const hasRun = functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count);
    return file !== undefined && hasRun ? [file] : [];
  });
}

/** Calls as a member, who is answered well. */
async function callAs(who: Actor, type: 'query' | 'mutation', path: string, input: unknown) {
  const answer = await market.trpc(who, type, path, input);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().result.data;
}

async function walkAll(): Promise<Record<keyof typeof FILES, string[]>> {
  const [seller, buyer] = [await market.readySeller(['stripe']), await createUser(market.ctx)];
  const [sold, given, taken] = [
    await createCoupon(market.ctx, seller),
    await createCoupon(market.ctx, seller),
    await createCoupon(market.ctx, buyer),
  ];
  const proposal = { offeredCouponId: given.id, requestedCouponId: taken.id };
  const { id: exchangeId } = await callAs(seller, 'mutation', 'exchanges.propose', proposal);
  await callAs(buyer, 'mutation', 'exchanges.setStatus', { id: exchangeId, status: 'accepted' });
  const placed = { couponId: sold.id, amount: '10.00', message: null };
  const { id: bidId } = await callAs(buyer, 'mutation', 'bids.place', placed);
  const walks = {
    'a coupon by its id': await filesOf(() => callAs(buyer, 'query', 'coupons.byId', { id: sold.id })),
    'a search': await filesOf(() => callAs(buyer, 'query', 'coupons.list', { search: 'coffee' })),
    'a swap completed': await filesOf(() =>
      callAs(seller, 'mutation', 'exchanges.setStatus', { id: exchangeId, status: 'completed' }),
    ),
    'a bid accepted': await filesOf(() =>
      callAs(seller, 'mutation', 'bids.setStatus', { id: bidId, status: 'accepted' }),
    ),
  };
  const bid: AcceptedBid = { id: bidId, amount: 1_000, seller, buyer, coupon: sold };
  const { clientSecret } = await market.intentOf(bid);
  for (const event of market.stripe.waiting()) market.stripe.drop(event);
  await market.stripe.confirmWithCard(clientSecret, CARDS.good);
  const succeeded = market.stripe.waiting().filter(({ type }) => type === 'payment_intent.succeeded');
  const paid = await filesOf(async () => {
    for (const event of succeeded) expect(await market.stripe.deliver(event)).toBe(200);
  });
  expect(await market.statusOf(bid)).toBe('held');
  return { ...walks, 'a webhook to the ledger': paid };
}

it('no call has become a longer road', async () => {
  await walkAll();
  const walks = await walkAll();
  const longer = Object.entries(walks).flatMap(([call, files]) => {
    const most = FILES[call as keyof typeof FILES];
    return files.length > most + TIMED
      ? [`${call}: ${files.length}, not ${most}: ${files.sort().join(' ')}`]
      : [];
  });
  expect(longer).toEqual([]);
});
