/** A repeatable random generator of whole numbers from 0 to below `limit`. */
export type Random = (limit: number) => number;

/** The mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** One of several choices, all equally likely. */
export function pick<const Choice>(random: Random, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[random(choices.length)] ?? choices[0];
}
