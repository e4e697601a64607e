/** Arcs with room, both ways, in the order of their tails: those of node n lie from first[n] to before first[n + 1]. */
export interface Residual {
  readonly nodes: number;
  readonly first: Int32Array;
  readonly head: Int32Array;
  /** The place of the reverse arc. */
  readonly mate: Int32Array;
  readonly room: Uint8Array;
  /** The room of an arc and of its reverse together, which never changes. */
  readonly both: Uint8Array;
  /** The reverse arc has the opposite cost. */
  readonly cost: Int32Array;
  /** The parts of a cost: prices and errors are counted in them. */
  readonly scale: number;
  /** An arc costs cost * scale + price of its tail - price of its head. They only fall. */
  readonly prices: Float64Array;
}

/** Paths longer than this, in errors, are looked for in later rounds. */
const FARTHEST = 2 ** 14;

/** How much is looked at, as a share of all arcs, before the distances are measured anew. */
const WORK_SHARE = 4;

/**
 * Opens the refinement of a circulation, which changes `room` and `prices`.
 * @returns a function that makes every arc with room cost at least -error
 */
export function openRefinement(residual: Residual): (error: number) => void {
  const { nodes, first, head, mate, room, both, cost, scale, prices } = residual;
  /** What came into each node and has not left it. */
  const excess = new Int32Array(nodes);
  /** In errors, from each node to the nearest that lacks something. */
  const distance = new Int32Array(nodes);
  /** The nodes at each distance that are still to be looked at, as lists. */
  const bucket = new Int32Array(FARTHEST + 1).fill(-1);
  const next = new Int32Array(nodes);
  const previous = new Int32Array(nodes);
  /** The arc of each node that is tried next. */
  const current = new Int32Array(nodes);
  /** The nodes with an excess, first come first served: a circle, from `oldest` on. */
  const queue = new Int32Array(nodes);
  let oldest = 0;
  let waiting = 0;

  const enqueue = (node: number) => {
    queue[(oldest + waiting) % nodes] = node;
    waiting += 1;
  };

  const dequeue = (): number => {
    const node = queue[oldest] as number;
    oldest = (oldest + 1) % nodes;
    waiting -= 1;
    return node;
  };

  /** Fills every arc that costs less than nothing. @returns whether there was one */
  const saturate = (): boolean => {
    let found = false;
    for (let node = 0; node < nodes; node += 1) {
      const price = prices[node] as number;
      for (let arc = first[node] as number; arc < (first[node + 1] as number); arc += 1) {
        const amount = room[arc] as number;
        if (amount === 0) continue;
        const to = head[arc] as number;
        if ((cost[arc] as number) * scale + price - (prices[to] as number) >= 0) continue;
        found = true;
        move(arc, amount);
        excess[node] = (excess[node] as number) - amount;
        excess[to] = (excess[to] as number) + amount;
      }
    }
    return found;
  };

  const move = (arc: number, amount: number) => {
    const back = mate[arc] as number;
    room[arc] = (room[arc] as number) - amount;
    room[back] = (room[back] as number) + amount;
  };

  const put = (node: number, far: number) => {
    const behind = bucket[far] as number;
    distance[node] = far;
    next[node] = behind;
    previous[node] = -1;
    if (behind >= 0) previous[behind] = node;
    bucket[far] = node;
  };

  const remove = (node: number) => {
    const [before, behind] = [previous[node] as number, next[node] as number];
    if (before >= 0) next[before] = behind;
    else bucket[distance[node] as number] = behind;
    if (behind >= 0) previous[behind] = before;
  };

  /**
   * Lowers prices by the shortest paths to nodes that lack something, so that arcs on these paths cost less than nothing,
   * and none less than -error. @returns the nodes with an excess; none: done
   */
  const approach = (error: number): number[] => {
    const sources: number[] = [];
    distance.fill(FARTHEST);
    for (let node = 0; node < nodes; node += 1) {
      const amount = excess[node] as number;
      if (amount < 0) put(node, 0);
      else if (amount > 0) sources.push(node);
    }
    let far = 0;
    for (let missing = sources.length; missing > 0 && far < FARTHEST; ) {
      const node = bucket[far] as number;
      if (node < 0) {
        far += 1;
        continue;
      }
      remove(node);
      if ((excess[node] as number) > 0) missing -= 1;
      const price = prices[node] as number;
      for (let back = first[node] as number; back < (first[node + 1] as number); back += 1) {
        // The reverse arc leads here.
        if (room[back] === both[back]) continue;
        const from = head[back] as number;
        const known = distance[from] as number;
        if (known <= far) continue;
        const reduced = (prices[from] as number) - (cost[back] as number) * scale - price;
        const found = far + Math.floor(reduced / error) + 1;
        if (found >= known) continue;
        if (known < FARTHEST) remove(from);
        put(from, found);
      }
    }
    bucket.fill(-1);
    for (let node = 0; node < nodes; node += 1)
      prices[node] = (prices[node] as number) - error * Math.min(distance[node] as number, far);
    return sources;
  };

  /**
   * Moves what came into a node on, along arcs that cost less than nothing, and lowers the price of the node whenever there
   * is no such arc. Prices nearby follow when what was moved is moved on. @returns how many arcs were looked at
   */
  const discharge = (node: number, error: number): number => {
    const [start, end] = [first[node] as number, first[node + 1] as number];
    let price = prices[node] as number;
    let looked = 0;
    for (let left = excess[node] as number; left > 0; ) {
      let highest = Number.NEGATIVE_INFINITY;
      let arc = current[node] as number;
      looked -= arc;
      for (; arc < end; arc += 1) {
        const free = room[arc] as number;
        if (free === 0) continue;
        const to = head[arc] as number;
        if ((cost[arc] as number) * scale + price - (prices[to] as number) >= 0) continue;
        const amount = Math.min(free, left);
        move(arc, amount);
        left -= amount;
        const before = excess[to] as number;
        excess[to] = before + amount;
        if (before <= 0 && before + amount > 0) enqueue(to);
        if (left === 0) break;
      }
      looked += arc;
      current[node] = arc;
      if (left === 0) break;
      for (arc = start; arc < end; arc += 1)
        if (room[arc] !== 0)
          highest = Math.max(
            highest,
            (prices[head[arc] as number] as number) - (cost[arc] as number) * scale,
          );
      looked += end - start;
      price = highest - error;
      prices[node] = price;
      current[node] = start;
    }
    excess[node] = 0;
    return looked;
  };

  return (error) => {
    if (!saturate()) return;
    for (let sources = approach(error); sources.length > 0; sources = approach(error)) {
      current.set(first.subarray(0, nodes));
      for (const source of sources) enqueue(source);
      let work = head.length * WORK_SHARE;
      while (waiting > 0 && work > 0) work -= discharge(dequeue(), error);
      waiting = 0;
    }
  };
}
