import { describe, expect, it } from 'vitest';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { coverFromReserve } from '#server/money/books/reserve.ts';
import { lockPaymentWithDeal } from '#server/money/payments/facts.ts';
import { follow } from '#server/money/payments/service.ts';
import { finalSale } from '#tests/support/claims.ts';
import { createTestDatabase, MANY_CONNECTIONS } from '#tests/support/database.ts';
import { openMarket, paymentOf, totalsOfBid } from '#tests/support/payments.ts';
import { type Committed, circleOf, recorded } from '#tests/support/serial-order.ts';

describe('transactions that ran at once have an order, or not', () => {
  const COUPON = 'owner of coupon 1';
  const HELD = 'reservation of coupon 1';
  const BALANCE = 'balance of the reserve';
  const one = (
    name: string,
    [sent, answered]: readonly [number, number],
    reads: Readonly<Record<string, readonly [from: number, until: number]>>,
    ...writes: string[]
  ): Committed => ({
    name,
    commit: [sent, answered],
    reads: Object.entries(reads).map(([of, [from, until]]) => ({ of, from, until })),
    writes,
  });

  it.each<[what: string, all: Committed[], circle: string | null]>([
    ['nothing', [], null],
    [
      'one after the other',
      [one('A', [3, 4], { [COUPON]: [1, 2] }, COUPON), one('B', [7, 8], { [COUPON]: [5, 6] }, COUPON)],
      null,
    ],
    [
      'a lost update: both read before the other wrote',
      [one('A', [5, 6], { [COUPON]: [1, 2] }, COUPON), one('B', [7, 8], { [COUPON]: [3, 4] }, COUPON)],
      `A → ww ${COUPON} → B → rw ${COUPON} → A`,
    ],
    [
      'skewed writes: each wrote what the other had read',
      [one('A', [5, 6], { [COUPON]: [1, 2] }, HELD), one('B', [7, 8], { [HELD]: [3, 4] }, COUPON)],
      `A → rw ${COUPON} → B → rw ${HELD} → A`,
    ],
    [
      'a circle of three',
      [
        one('A', [9, 10], { [COUPON]: [1, 2], [BALANCE]: [8, 8] }, HELD),
        one('B', [3, 4], {}, COUPON, 'owner of coupon 2'),
        one('C', [6, 7], { 'owner of coupon 2': [5, 5] }, BALANCE),
      ],
      `A → rw ${COUPON} → B → wr owner of coupon 2 → C → wr ${BALANCE} → A`,
    ],
    [
      'two that add to a balance which one has read before',
      [one('A', [3, 6], {}, BALANCE), one('B', [7, 8], { [BALANCE]: [1, 2] }, BALANCE)],
      null,
    ],
    [
      'a read while the other commits, which may have come first or last',
      [one('A', [3, 6], { [HELD]: [1, 2] }, COUPON), one('B', [7, 8], { [COUPON]: [4, 5] }, HELD)],
      null,
    ],
  ])('%s', (_what, all, circle) => {
    expect(circleOf(all)).toBe(circle);
  });
});

/** Lets two at a time go on. */
function createMeeting() {
  let goOn: (() => void) | null = null;
  return () =>
    new Promise<void>((resolve) => {
      const first = goOn;
      goOn = first === null ? resolve : null;
      if (first === null) return;
      first();
      resolve();
    });
}

const RESERVE = /^select "balance" from "guarantee_reserve"/;

it.each([
  ['with the lock of the reserve', false],
  ['without it', true],
])('two claims that the reserve pays at once: %s', async (_what, isPlanted) => {
  const meet = createMeeting();
  let isRace = false;
  const database = await recorded(await createTestDatabase({ connections: MANY_CONNECTIONS }), {
    sent: (text) => (isPlanted && RESERVE.test(text) ? text.replace(' for update', '') : text),
    answered: async (text) => {
      if (isRace && isPlanted && RESERVE.test(text)) await meet();
    },
  });
  const market = await openMarket({ database, config: { guarantee: { days: 7, reservePercent: 20 } } });
  const at = market.ctx.clock();
  await finalSale(market, { amount: 200_000 });
  const bids = [
    await finalSale(market, { amount: 6_000 }),
    await finalSale(market, { amount: 6_000 }),
  ] as const;
  const locked = async (
    given: (typeof bids)[number],
    act: (trx: Trx, sale: Awaited<ReturnType<typeof lockPaymentWithDeal>>) => Promise<unknown>,
  ) => {
    const { id } = await paymentOf(market.ctx, given);
    return inTransaction(database.db, async (trx) => act(trx, await lockPaymentWithDeal(trx, id)));
  };
  for (const bid of bids) {
    await finalSale(market, { buyer: bid.buyer });
    await market.stripe.payOutToBank((await paymentOf(market.ctx, bid)).receiverAccount);
    await locked(bid, (trx, sale) => follow(trx, market.ctx, sale, { what: 'awarded', note: '' }, at));
  }
  expect(circleOf(await database.taken())).toBeNull();
  isRace = true;
  await Promise.all(
    bids.map((bid) => locked(bid, (trx, { payment }) => coverFromReserve(trx, { payment, at }))),
  );
  const [one, other] = [await totalsOfBid(market.ctx, bids[0]), await totalsOfBid(market.ctx, bids[1])];
  const circle = circleOf(await database.taken());
  // Without the lock both get a quarter of the same balance, and no rule of the database minds.
  expect(one.covered === other.covered).toBe(isPlanted);
  if (isPlanted) expect(circle).toMatch(/rw balance of the reserve .* rw balance of the reserve/);
  else expect(circle).toBeNull();
  await market.close();
});
