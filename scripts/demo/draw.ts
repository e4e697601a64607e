import { createHash } from 'node:crypto';

/** A pseudo-random number in [0, 1) that only depends on the name, so that it is the same at every start. */
export function draw(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
}

/** A pseudo-random number from `low` up to `high` that only depends on the name. */
export function drawBetween(name: string, low: number, high: number): number {
  return low + draw(name) * (high - low);
}
