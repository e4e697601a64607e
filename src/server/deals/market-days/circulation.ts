import { openRefinement } from './refinement.ts';

/** Arcs with whole capacities, by the places of their nodes. */
export interface Network {
  readonly nodes: number;
  readonly tails: Int32Array;
  readonly heads: Int32Array;
  /** From 0 to 255. */
  readonly capacities: Uint8Array;
}

export interface Circulation {
  /**
   * Brings the circulation to a least cost among those that were best for all costs so far: what would be worse for these
   * is frozen. @param costs whole numbers, one an arc
   * @returns whole potentials: cost + potential of the tail - potential of the head is at most 0 on arcs that carry
   *   something and at least 0 on arcs with room left, frozen arcs aside
   * @throws Error when a number gets too large to be exact
   */
  minimise(costs: Int32Array): Float64Array;
  /** What each arc carries now. */
  flows(): Uint8Array;
}

/** Each round of cost scaling allows this part of the error of the one before. */
const FINER = 8;
/** Differences of two potentials, with a cost, stay below 2**53. */
const LARGEST = 2 ** 51;

/**
 * Opens the empty circulation. Levels of costs are minimised one after the other by cost scaling (Goldberg and Tarjan 1990,
 * with the shortest paths and blocking flows of Goldberg, Hed, Kaplan and Tarjan 2017).
 */
export function openCirculation({ nodes, tails, heads, capacities }: Network): Circulation {
  const arcs = tails.length;
  // An arc and its reverse lie among the arcs of their tails, and are mates.
  const first = new Int32Array(nodes + 2);
  for (let arc = 0; arc < arcs; arc += 1) {
    first[(tails[arc] as number) + 2] = (first[(tails[arc] as number) + 2] as number) + 1;
    first[(heads[arc] as number) + 2] = (first[(heads[arc] as number) + 2] as number) + 1;
  }
  for (let node = 0; node < nodes; node += 1)
    first[node + 2] = (first[node + 2] as number) + (first[node + 1] as number);
  const head = new Int32Array(2 * arcs);
  const mate = new Int32Array(2 * arcs);
  const room = new Uint8Array(2 * arcs);
  const cost = new Int32Array(2 * arcs);
  const frozen = new Uint8Array(arcs);
  const isFrozen = new Uint8Array(arcs);
  const placeOf = new Int32Array(arcs);
  for (let arc = 0; arc < arcs; arc += 1) {
    const [tail, to] = [tails[arc] as number, heads[arc] as number];
    const forward = first[tail + 1] as number;
    first[tail + 1] = forward + 1;
    const backward = first[to + 1] as number;
    first[to + 1] = backward + 1;
    head[forward] = to;
    head[backward] = tail;
    mate[forward] = backward;
    mate[backward] = forward;
    room[forward] = capacities[arc] as number;
    placeOf[arc] = forward;
  }

  /** More than there are nodes: an error of 1 for each arc of a ring is less than the smallest cost. */
  const scale = nodes + 1;
  const prices = new Float64Array(nodes);
  const refine = openRefinement({ nodes, first, head, mate, room, cost, scale, prices });

  const freeze = (potentials: Float64Array) => {
    for (let arc = 0; arc < arcs; arc += 1) {
      const forward = placeOf[arc] as number;
      const backward = mate[forward] as number;
      const reduced =
        (cost[forward] as number) +
        (potentials[tails[arc] as number] as number) -
        (potentials[heads[arc] as number] as number);
      if (isFrozen[arc] || reduced === 0) continue;
      isFrozen[arc] = 1;
      frozen[arc] = room[backward] as number;
      room[forward] = 0;
      room[backward] = 0;
    }
  };

  return {
    minimise: (costs) => {
      let largest = 0;
      for (let arc = 0; arc < arcs; arc += 1) {
        const forward = placeOf[arc] as number;
        const price = costs[arc] as number;
        cost[forward] = price;
        cost[mate[forward] as number] = -price;
        if (!isFrozen[arc]) largest = Math.max(largest, Math.abs(price));
      }
      prices.fill(0);
      if (largest === 0) return prices.slice();
      let error = largest * scale;
      while (error > 1) {
        error = Math.max(1, Math.floor(error / FINER));
        refine(error);
      }
      const potentials = wholePotentials(prices, scale);
      freeze(potentials);
      return potentials;
    },
    flows: () =>
      Uint8Array.from(placeOf, (forward, arc) =>
        isFrozen[arc] ? (frozen[arc] as number) : (room[mate[forward] as number] as number),
      ),
  };
}

/**
 * Potentials in whole costs, of prices in parts of a cost that are right to one part. There are fewer nodes than parts: some
 * remainder belongs to no price. Prices are shifted until it is the highest remainder; when they are rounded down then, an
 * error of one part cannot become a whole cost.
 */
function wholePotentials(prices: Float64Array, scale: number): Float64Array {
  const isTaken = new Uint8Array(scale);
  const remainder = (price: number) => ((price % scale) + scale) % scale;
  for (const price of prices) {
    if (Math.abs(price) > LARGEST) throw new Error('The market day is too large for exact prices');
    isTaken[remainder(price)] = 1;
  }
  const shift = scale - 1 - isTaken.indexOf(0);
  return prices.map((price) => Math.floor((price + shift) / scale));
}
