import { openRefinement, type Residual } from './refinement.ts';

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
const FINER = 4;
/** How much the search for potentials may look at, as a share of all arcs, while the circulation may not be the best one. */
const WORK_SHARE = 4;
/** Differences of two potentials, with a cost, stay below 2**53. */
const LARGEST = 2 ** 51;

/**
 * Opens the empty circulation. Levels of costs are minimised one after the other by cost scaling: push and relabel
 * (Goldberg and Tarjan 1990), with prices that are measured anew from time to time.
 */
export function openCirculation(network: Network): Circulation {
  const { nodes, tails, heads } = network;
  const flows = new Uint8Array(tails.length);
  /** The arcs that are not frozen. */
  let free = Int32Array.from(tails.keys());
  return {
    minimise: (costs) => {
      let error = free.reduce((most, arc) => Math.max(most, Math.abs(costs[arc] as number)), 0);
      if (error === 0) return new Float64Array(nodes);
      const { residual, places } = residualOf(network, free, flows, costs);
      const refine = openRefinement(residual);
      error *= residual.scale;
      let potentials: Float64Array | undefined;
      while (!potentials) {
        error = Math.max(1, Math.floor(error / FINER));
        refine(error);
        potentials = wholePotentials(residual, error > 1 ? WORK_SHARE * residual.head.length : Infinity);
      }
      for (const [place, arc] of free.entries())
        flows[arc] = (network.capacities[arc] as number) - (residual.room[places[place] as number] as number);
      free = free.filter((arc) => {
        const [tail, head] = [tails[arc] as number, heads[arc] as number];
        return (costs[arc] as number) + (potentials[tail] as number) - (potentials[head] as number) === 0;
      });
      return potentials;
    },
    flows: () => flows,
  };
}

/** The arcs with what room they have both ways. @returns with the places of the arcs in their own direction */
function residualOf(
  { nodes, tails, heads, capacities }: Network,
  arcs: Int32Array,
  flows: Uint8Array,
  costs: Int32Array,
): { residual: Residual; places: Int32Array } {
  // The entry of a node is first where the node before begins, and moves on to where the node itself begins.
  const first = new Int32Array(nodes + 2);
  for (const arc of arcs)
    for (const node of [tails[arc] as number, heads[arc] as number])
      first[node + 2] = (first[node + 2] as number) + 1;
  for (let node = 0; node < nodes; node += 1)
    first[node + 2] = (first[node + 2] as number) + (first[node + 1] as number);
  const head = new Int32Array(2 * arcs.length);
  const mate = new Int32Array(2 * arcs.length);
  const room = new Uint8Array(2 * arcs.length);
  const both = new Uint8Array(2 * arcs.length);
  const cost = new Int32Array(2 * arcs.length);
  const place = (node: number, to: number, capacity: number, free: number, price: number): number => {
    const at = first[node + 1] as number;
    first[node + 1] = at + 1;
    head[at] = to;
    both[at] = capacity;
    room[at] = free;
    cost[at] = price;
    return at;
  };
  const places = arcs.map((arc) => {
    const [tail, to] = [tails[arc] as number, heads[arc] as number];
    const [capacity, flow] = [capacities[arc] as number, flows[arc] as number];
    const price = costs[arc] as number;
    const forward = place(tail, to, capacity, capacity - flow, price);
    const backward = place(to, tail, capacity, flow, -price);
    mate[forward] = backward;
    mate[backward] = forward;
    return forward;
  });
  const prices = new Float64Array(nodes);
  // More than there are nodes: an error of 1 for each arc of a ring is less than the smallest cost.
  return { residual: { nodes, first, head, mate, room, both, cost, scale: nodes + 1, prices }, places };
}

/**
 * Potentials in whole costs that prove a circulation the best one. Starts from its prices, and lowers potentials for as long
 * as an arc with room costs less than nothing (Bellman and Ford).
 * @param work how many arcs may be looked at; without a limit it ends when the circulation is the best one
 * @returns undefined when that was too little, as when the circulation is not the best one
 */
function wholePotentials({ nodes, first, head, room, cost, scale, prices }: Residual, work: number) {
  if (prices.some((price) => Math.abs(price) > LARGEST))
    throw new Error('The market day is too large for exact prices');
  const potentials = prices.map((price) => Math.floor(price / scale));
  /** The nodes to look at, first come first served: a circle, from `oldest` on. */
  const queue = Int32Array.from(potentials.keys());
  const isWaiting = new Uint8Array(nodes).fill(1);
  let left = work;
  for (let oldest = 0, waiting = nodes; waiting > 0; waiting -= 1) {
    const node = queue[oldest] as number;
    oldest = (oldest + 1) % nodes;
    isWaiting[node] = 0;
    const [start, end] = [first[node] as number, first[node + 1] as number];
    left -= end - start;
    if (left < 0) return undefined;
    for (let arc = start; arc < end; arc += 1) {
      const most = (cost[arc] as number) + (potentials[node] as number);
      const to = head[arc] as number;
      if (room[arc] === 0 || (potentials[to] as number) <= most) continue;
      potentials[to] = most;
      if (isWaiting[to]) continue;
      isWaiting[to] = 1;
      queue[(oldest + waiting - 1) % nodes] = to;
      waiting += 1;
    }
  }
  return potentials;
}
