import {
  type MarketDayDuals,
  type MarketDayGraph,
  type MarketDayTrade,
  type MarketDayWorth,
  tieNumbers,
} from '#contract/deals/market-day-certificate.ts';
import { type Network, openCirculation } from './circulation.ts';
import { type Columns, columnsOf, type Places, placesOf } from './columns.ts';
import { openRings } from './rings.ts';

export interface MarketDaySolution {
  readonly trades: readonly MarketDayTrade[];
  /** The trades of each chain and ring, by their places: what one takes, the one before gives. A chain begins with a gift. */
  readonly rings: readonly (readonly number[])[];
  readonly duals: MarketDayDuals;
}

/**
 * The best possible trades of a market day: the most fulfilments, then the best fit, then the soonest expiry, then the
 * largest tie numbers of the seed. The same graph and seed give the same trades, in whatever order the graph is written.
 * @throws Error when the graph names what it does not have, or is too large for exact numbers
 */
export function solve(graph: MarketDayGraph, seed: string): MarketDaySolution {
  return solveColumns(columnsOf(graph), seed);
}

/** As `solve`, from columns. */
export function solveColumns(columns: Columns, seed: string): MarketDaySolution {
  const places = placesOf(columns);
  const { coupons, wishes, isGift, takeWishes, takeCoupons, fits, urgencies, giveWishes, giveCoupons } =
    places;
  const network = networkOf(places);
  const circulation = openCirculation(network);
  const tieOf = tieNumbers(seed);
  const levelsOfTakes = [
    () => 1,
    (take: number) => fits[take] ?? 0,
    (take: number) => urgencies[take] ?? 0,
    (take: number) => tieOf(wishes[takeWishes[take] ?? 0] ?? 0, coupons[takeCoupons[take] ?? 0] ?? 0),
  ];
  const costs = new Int32Array(network.tails.length);
  const potentials = levelsOfTakes.map((levelOf) => {
    for (let take = 0; take < takeWishes.length; take += 1) costs[take] = -levelOf(take);
    return circulation.minimise(costs);
  });

  const flows = circulation.flows();
  const rings = openRings(coupons.length, wishes.length);
  const endings = takeWishes.length + giveWishes.length;
  for (const [take, wish] of takeWishes.entries()) if (flows[take]) rings.take(wish, takeCoupons[take] ?? 0);
  for (const [give, wish] of giveWishes.entries())
    rings.give(wish, giveCoupons[give] ?? 0, flows[takeWishes.length + give] === 1);
  for (const [place, wish] of places.takesGifts.entries())
    for (let times = flows[endings + place] ?? 0; times > 0; times -= 1) rings.giveNothing(wish);

  const trades: MarketDayTrade[] = [];
  const placed = rings.close(isGift).map((ring) =>
    ring.map(({ wish, takes, gives }) => {
      const given = gives === null ? null : (coupons[gives] ?? 0);
      return trades.push({ wish: wishes[wish] ?? 0, takes: coupons[takes] ?? 0, gives: given }) - 1;
    }),
  );
  const dual = (node: number): MarketDayWorth => [
    potentials[0]?.[node] ?? 0,
    potentials[1]?.[node] ?? 0,
    potentials[2]?.[node] ?? 0,
    potentials[3]?.[node] ?? 0,
  ];
  return {
    trades,
    rings: placed,
    duals: {
      coupons: Array.from(coupons, (number, coupon) => ({
        number,
        price: dual(coupons.length + coupon),
        credit: dual(coupon),
      })),
      nothing: dual(network.nodes - 1),
    },
  };
}

/**
 * The circulation of the graph. The nodes are the coupons as they are given, the coupons as they are taken, the wishes
 * before and after they are fulfilled, and the hub for what is given for nothing. The arcs are the takes, the gives, the
 * endings of chains, the ways of coupons to where they are taken (a gift's from the hub), and the fulfilments of wishes.
 */
function networkOf(places: Places): Network {
  const { coupons, wishes, isGift, times, takeWishes, takeCoupons, giveWishes, giveCoupons, takesGifts } =
    places;
  const before = 2 * coupons.length;
  const after = before + wishes.length;
  const hub = after + wishes.length;
  const arcs = takeWishes.length + giveWishes.length + takesGifts.length + coupons.length + wishes.length;
  const network = {
    nodes: hub + 1,
    tails: new Int32Array(arcs),
    heads: new Int32Array(arcs),
    capacities: new Uint8Array(arcs),
  };
  let arc = 0;
  const add = (tail: number, head: number, capacity: number) => {
    network.tails[arc] = tail;
    network.heads[arc] = head;
    network.capacities[arc] = capacity;
    arc += 1;
  };
  for (const [take, wish] of takeWishes.entries())
    add(coupons.length + (takeCoupons[take] ?? 0), before + wish, 2);
  for (const [give, wish] of giveWishes.entries()) add(after + wish, giveCoupons[give] ?? 0, 2);
  for (const wish of takesGifts) add(after + wish, hub, (times[wish] ?? 0) + 1);
  for (const [coupon, gift] of isGift.entries()) add(gift ? hub : coupon, coupons.length + coupon, 1);
  for (const [wish, most] of times.entries()) add(before + wish, after + wish, most);
  return network;
}
