import { createHash } from 'node:crypto';

/**
 * A fraction in [0, 1) that hangs on nothing but its name: the same at every start, whatever else is added to
 * the data or moved in it.
 */
export function draw(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
}

/** The same, between two numbers. */
export function drawBetween(name: string, low: number, high: number): number {
  return low + draw(name) * (high - low);
}
