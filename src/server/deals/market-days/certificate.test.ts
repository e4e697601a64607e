import { expect, it } from 'vitest';
import {
  checkCertificate,
  type MarketDayCertificate,
  type MarketDayTrade,
  type MarketDayWorth,
  tieNumbers,
} from '#contract/deals/market-day-certificate.ts';
import { wantLists } from '#tests/market/want-lists.ts';
import { solve } from './solve.ts';

const SEED = '5eed';
const graph = wantLists({ people: 30, seed: 5, giftEvery: 8 });
const solution = solve(graph, SEED);
const certificate: MarketDayCertificate = {
  graph,
  seed: SEED,
  trades: solution.trades,
  duals: solution.duals,
};

/** The trades of one ring or chain of each kind. */
const [ring, chain] = [false, true].map((isChain) => {
  const all = solution.rings.map((places) => solution.trades.filter((_, place) => places.includes(place)));
  const found = all.find(
    (trades) => trades.length > 1 && trades.some(({ gives }) => gives === null) === isChain,
  );
  if (!found) throw new Error('The graph has no ring, or no chain');
  return found;
}) as [MarketDayTrade[], MarketDayTrade[]];

const [inRing] = ring as [MarketDayTrade];
const withTrades = (trades: readonly MarketDayTrade[]) => ({ ...certificate, trades });
const without = (left: readonly MarketDayTrade[]) =>
  withTrades(solution.trades.filter((trade) => !left.includes(trade)));
const instead = (changed: Partial<MarketDayTrade>) =>
  withTrades(solution.trades.map((trade) => (trade === inRing ? { ...trade, ...changed } : trade)));
const withGraph = (changed: Partial<MarketDayCertificate['graph']>) => ({
  ...certificate,
  graph: { ...graph, ...changed },
});
const raised = ([first, ...rest]: MarketDayWorth): MarketDayWorth => [first + 1_000, ...rest];
const withPrice = (number: number, change: (price: MarketDayWorth) => MarketDayWorth) => ({
  ...certificate,
  duals: {
    ...certificate.duals,
    coupons: certificate.duals.coupons.map((dual) =>
      dual.number === number ? { ...dual, price: change(dual.price) } : dual,
    ),
  },
});

/** The best trades of the graph without a take that the optimum uses, with their own dual values. */
function withheld(): MarketDayCertificate {
  const takes = graph.takes.filter(({ wish, coupon }) => wish !== inRing.wish || coupon !== inRing.takes);
  const { trades, duals } = solve({ ...graph, takes }, SEED);
  return { ...certificate, trades, duals };
}

const takeOfRing = graph.takes.filter(({ wish, coupon }) => wish === inRing.wish && coupon === inRing.takes);
const ownerOf = (coupon: number | null) => graph.coupons.find(({ number }) => number === coupon)?.owner ?? 0;
const gift = chain[0]?.takes ?? 0;
const [firstCoupon, firstWish] = [graph.coupons.slice(0, 1), graph.wishes.slice(0, 1)];

const FAULTS: readonly (readonly [what: string, planted: MarketDayCertificate, fault: RegExp])[] = [
  ['a trade removed', without([inRing]), /is given, but not taken/],
  ['a ring removed', without(ring), /do not prove the optimum/],
  ['a chain removed', without(chain), /do not prove the optimum/],
  ['a better pairing withheld', withheld(), /do not prove the optimum/],
  ['a coupon taken twice', withTrades([...solution.trades, inRing]), /is taken twice/],
  ['a coupon given twice', withTrades([...solution.trades, inRing]), /is given twice/],
  ['a wish fulfilled too often', withTrades([...solution.trades, ...Array(10).fill(inRing)]), /more often/],
  ['a coupon that the wish does not take', instead({ takes: inRing.gives ?? 0 }), /does not take coupon/],
  ['a coupon that the wish does not give', instead({ gives: inRing.takes }), /does not give coupon/],
  ['a fulfilment for nothing', instead({ gives: null }), /gives nothing, but|gets nothing for it/],
  ['a gift too many', without(chain.slice(-1)), /as gifts are taken: \d+, not \d+/],
  ['a changed dual value', withPrice(inRing.takes, raised), /do not prove the optimum/],
  ['another price of a gift', withPrice(gift, raised), /do not prove the optimum/],
  [
    'another value of nothing',
    { ...certificate, duals: { ...certificate.duals, nothing: raised(certificate.duals.nothing) } },
    /do not prove the optimum/,
  ],
  ['dual values left out', { ...certificate, duals: { coupons: [], nothing: [0, 0, 0, 0] } }, /do not prove/],
  ['part of a number in a dual value', withPrice(gift, () => [0.5, 0, 0, 0]), /four whole numbers/],
  ['another seed', { ...certificate, seed: 'other' }, /do not prove the optimum/],
  [
    'a wrong owner',
    withGraph({
      coupons: graph.coupons.map((coupon) =>
        coupon.number === inRing.gives ? { ...coupon, owner: ownerOf(inRing.takes) } : coupon,
      ),
    }),
    /is a gift or is not its person’s/,
  ],
  [
    'a coupon taken by its owner',
    withGraph({
      wishes: graph.wishes.map((wish) =>
        wish.number === inRing.wish ? { ...wish, person: ownerOf(inRing.takes) } : wish,
      ),
    }),
    /of its own person/,
  ],
  ['a take twice', withGraph({ takes: [...graph.takes, ...takeOfRing] }), /in two lines/],
  ['a coupon twice', withGraph({ coupons: [...graph.coupons, ...firstCoupon] }), /Two coupons/],
  ['a wish twice', withGraph({ wishes: [...graph.wishes, ...firstWish] }), /Two wishes/],
  ['a take of nobody', withGraph({ wishes: graph.wishes.slice(1) }), /is not in the graph/],
  ['a gift to nobody', withGraph({ takesGifts: [-1] }), /Wish -1 takes gifts, but/],
  [
    'too good a fit',
    withGraph({ takes: graph.takes.map((take) => ({ ...take, fit: 10 })) }),
    /out of its range/,
  ],
  ['too many times', withGraph({ wishes: graph.wishes.map((wish) => ({ ...wish, times: 11 })) }), /of times/],
  [
    'a number that is not whole',
    withGraph({ coupons: [...graph.coupons, { number: 0.5, owner: 1, isGift: false }] }),
    /not whole/,
  ],
];

it('accepts the certificate of a solution', () => {
  expect(checkCertificate(certificate)).toEqual([]);
});

it.each(FAULTS)('refuses %s', (_, planted, fault) => {
  expect(checkCertificate(planted).join('\n')).toMatch(fault);
});

it('derives tie numbers from all of the seed and both numbers, as published certificates need them for good', () => {
  const tieOf = tieNumbers(SEED);
  const numbers = [
    tieOf(1, 2),
    tieOf(2, 1),
    tieOf(1 + 2 ** 32, 2),
    tieOf(1, 2 + 2 ** 32),
    tieNumbers('5eee')(1, 2),
  ];
  expect(numbers).toEqual([765, 623, 254, 404, 902]);
  const many = Array.from({ length: 20_000 }, (_, wish) => tieOf(wish, 7));
  expect(Math.min(...many)).toBe(0);
  expect(Math.max(...many)).toBe(1023);
});
