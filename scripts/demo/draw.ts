import { createHash } from 'node:crypto';

/**
 * A fraction in [0, 1) that depends on its name alone: the same at every start, whatever changes in the rest of the
 * data.
 */
export function draw(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
}

/** A number from `low` up to `high` that depends on its name alone. */
export function drawBetween(name: string, low: number, high: number): number {
  return low + draw(name) * (high - low);
}
