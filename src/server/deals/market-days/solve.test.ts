import { expect, it } from 'vitest';
import {
  checkCertificate,
  type MarketDayGraph,
  type MarketDayTrade,
  tieNumbers,
} from '#contract/deals/market-day-certificate.ts';
import { wantLists } from '#tests/market/want-lists.ts';
import { itLong } from '#tests/support/long-form.ts';
import { createRandom } from '#tests/support/random.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { solve } from './solve.ts';

const SEED = 'f1d2';

/** A few coupons of a few people, with so few grades of fit and urgency that many days are equally good. */
function tinyGraph(seed: number): MarketDayGraph {
  const random = createRandom(seed);
  const graph = wantLists({ people: 4, seed, wishes: 2, takes: 2, couponsMax: 3, giftEvery: 5 });
  return {
    ...graph,
    wishes: graph.wishes.map((wish) => ({ ...wish, times: 1 + random(2) })),
    takes: graph.takes.map((take) => ({ ...take, fit: take.fit % 2, urgency: take.urgency % 2 })),
  };
}

/** The worth of some takes, as one number: each part has room for its largest sum. */
function worthOf(graph: MarketDayGraph, taken: readonly { wish: number; coupon: number }[]): bigint {
  const tieOf = tieNumbers(SEED);
  let worth = 0n;
  for (const { wish, coupon } of taken) {
    const take = graph.takes.find((one) => one.wish === wish && one.coupon === coupon);
    const parts = [1, take?.fit ?? 0, take?.urgency ?? 0, tieOf(wish, coupon)];
    worth += parts.reduce((sum, part) => sum * 1_000_000n + BigInt(part), 0n);
  }
  return worth;
}

const reached = (graph: MarketDayGraph, trades: readonly MarketDayTrade[]) =>
  worthOf(
    graph,
    trades.map(({ wish, takes }) => ({ wish, coupon: takes })),
  );

/** The largest worth of all choices of takes that gives can pay for, by trying all of them. */
function bestByTrying(graph: MarketDayGraph): bigint {
  const { coupons, wishes, takes, gives, takesGifts } = graph;
  const times = new Map(wishes.map((wish) => [wish.number, wish.times]));
  /** How often each wish still has to give something. */
  const owing = new Map(wishes.map(({ number }) => [number, 0]));
  const change = (wish: number, by: number) => owing.set(wish, (owing.get(wish) ?? 0) + by);
  const taken: { wish: number; coupon: number }[] = [];

  const canPay = (place = 0): boolean => {
    const moved = taken[place];
    if (!moved) return true;
    const isGift = coupons.some(({ number, isGift: gift }) => number === moved.coupon && gift);
    const payers = isGift
      ? takesGifts
      : gives.filter((give) => give.coupon === moved.coupon).map(({ wish }) => wish);
    for (const wish of payers) {
      if ((owing.get(wish) ?? 0) === 0) continue;
      change(wish, -1);
      const paid = canPay(place + 1);
      change(wish, 1);
      if (paid) return true;
    }
    return false;
  };

  const bestFrom = (place: number): bigint => {
    const coupon = coupons[place];
    if (!coupon) return canPay() ? worthOf(graph, taken) : 0n;
    let best = bestFrom(place + 1);
    for (const take of takes.filter((one) => one.coupon === coupon.number)) {
      if ((owing.get(take.wish) ?? 0) >= (times.get(take.wish) ?? 0)) continue;
      taken.push(take);
      change(take.wish, 1);
      const worth = bestFrom(place + 1);
      if (worth > best) best = worth;
      change(take.wish, -1);
      taken.pop();
    }
    return best;
  };
  return bestFrom(0);
}

/** The same graph with its lines in another order. */
function shuffled(graph: MarketDayGraph, seed: number): MarketDayGraph {
  const random = createRandom(seed);
  const mix = <Line>(lines: readonly Line[]) =>
    lines
      .map((line) => ({ line, key: random(2 ** 30) }))
      .sort((one, other) => one.key - other.key)
      .map(({ line }) => line);
  return {
    coupons: mix(graph.coupons),
    wishes: mix(graph.wishes),
    takes: mix(graph.takes),
    gives: mix(graph.gives),
    takesGifts: mix(graph.takesGifts),
  };
}

const faultsOf = (graph: MarketDayGraph, { trades, duals } = solve(graph, SEED)) =>
  checkCertificate({ graph, seed: SEED, trades, duals });

it('reaches what trying all choices reaches, in fulfilments, fit, urgency and ties, and proves it', () => {
  const seen = { endings: 0, again: 0, long: 0 };
  for (let seed = 1; seed <= shortOrLong(400, 3_000); seed += 1) {
    const graph = tinyGraph(seed);
    const solution = solve(graph, SEED);
    expect(reached(graph, solution.trades), `seed ${seed}`).toBe(bestByTrying(graph));
    expect(faultsOf(graph, solution)).toEqual([]);
    const fulfilled = new Set(solution.trades.map(({ wish }) => wish));
    if (fulfilled.size < solution.trades.length) seen.again += 1;
    if (solution.trades.some(({ gives }) => gives === null)) seen.endings += 1;
    if (solution.rings.some(({ length }) => length > 4)) seen.long += 1;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

it('gives the same trades and dual values in whatever order the graph is written', () => {
  const graph = wantLists({ people: 40, seed: 7 });
  const solution = solve(graph, SEED);
  expect(solution.trades.length).toBeGreaterThan(20);
  for (const seed of [1, 2, 3]) expect(solve(shuffled(graph, seed), SEED)).toEqual(solution);
});

it('lets the seed choose between equally good days', () => {
  const graph = wantLists({ people: 30, seed: 3, takes: 30 });
  const takes = graph.takes.map((take) => ({ ...take, fit: 0, urgency: 0 }));
  const days = ['a', 'b', 'c'].map((seed) => solve({ ...graph, takes }, seed).trades);
  const [first, ...others] = days.map((trades) =>
    trades.map(({ wish, takes: coupon }) => `${wish} ${coupon}`).sort(),
  );
  expect(days.map(({ length }) => length)).toEqual(days.map(() => first?.length));
  for (const other of others) expect(other).not.toEqual(first);
});

it('groups all trades into chains that begin with a gift and rings, none of which meets a wish twice', () => {
  const graph = wantLists({ people: 60, seed: 11, giftEvery: 10 });
  const { trades, rings } = solve(graph, SEED);
  const gifts = new Set(graph.coupons.filter(({ isGift }) => isGift).map(({ number }) => number));
  expect(rings.flat().sort((one, other) => one - other)).toEqual([...trades.keys()]);
  let chains = 0;
  for (const ring of rings) {
    const [first, last] = [trades[ring.at(0) ?? -1], trades[ring.at(-1) ?? -1]];
    if (last?.gives === null) chains += 1;
    expect(gifts.has(first?.takes ?? 0)).toBe(last?.gives === null);
    expect(last?.gives ?? first?.takes).toBe(first?.takes);
    for (const [place, trade] of ring.entries()) {
      const after = ring[place + 1];
      if (after !== undefined) expect(trades[trade]?.gives).toBe(trades[after]?.takes);
    }
    expect(new Set(ring.map((trade) => trades[trade]?.wish)).size).toBe(ring.length);
  }
  expect(chains).toBeGreaterThan(3);
});

/** Who would take what: the first person gives 10 or 11 for 20 or 30, by one wish twice or by two wishes. */
const SHORT: readonly (readonly [
  how: string,
  wishes: readonly (readonly [takes: number, times: number])[],
])[] = [
  ['a wish that is fulfilled twice', [[20, 2]]],
  [
    'two wishes of a person',
    [
      [20, 1],
      [30, 1],
    ],
  ],
];

it.each(SHORT)('makes two short rings, not a long one, of %s', (_, wishesOfFirst) => {
  const first = wishesOfFirst.map(([, times], place) => ({ number: 4 + place, person: 1, times }));
  const graph: MarketDayGraph = {
    coupons: [10, 11, 20, 30].map((number) => ({ number, owner: Math.floor(number / 10), isGift: false })),
    wishes: [...first, ...[2, 3].map((person) => ({ number: person, person, times: 1 }))],
    takes: [
      { wish: 4, coupon: 20, fit: 1, urgency: 0 },
      { wish: 4 + wishesOfFirst.length - 1, coupon: 30, fit: 1, urgency: 0 },
      { wish: 2, coupon: 10, fit: 1, urgency: 0 },
      { wish: 3, coupon: 11, fit: 1, urgency: 0 },
    ],
    gives: [
      ...first.flatMap(({ number }) => [10, 11].map((coupon) => ({ wish: number, coupon }))),
      { wish: 2, coupon: 20 },
      { wish: 3, coupon: 30 },
    ],
    takesGifts: [],
  };
  const solution = solve(graph, SEED);
  expect(solution.rings.map(({ length }) => length)).toEqual([2, 2]);
  expect(faultsOf(graph, solution)).toEqual([]);
});

it('solves a day on which nobody takes anything', () => {
  const graph = { ...tinyGraph(1), takes: [] };
  expect(solve(graph, SEED)).toMatchObject({ trades: [], rings: [] });
  expect(faultsOf(graph)).toEqual([]);
});

it('refuses a graph that names what it does not have', () => {
  const graph = tinyGraph(1);
  const takes = [{ wish: 0, coupon: 0, fit: 1, urgency: 1 }];
  expect(() => solve({ ...graph, takes }, SEED)).toThrow('no coupon or wish 0');
});

itLong('proves the optimum of larger days', () => {
  for (const people of [100, 300, 1_000])
    for (const giftEvery of [3, 40, 1_000_000])
      expect(faultsOf(wantLists({ people, seed: people + giftEvery, giftEvery }))).toEqual([]);
});
