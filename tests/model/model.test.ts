import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { shortOrLong } from '#tests/support/rounds.ts';
import { circleOf } from '#tests/support/serial-order.ts';
import { mixOf } from './choices.ts';
import { obeysTheModel } from './run.ts';
import { openPlace, type Place } from './world.ts';

/**
 * People do what they like, and a model of the market says what each call must answer. The short form begins with the
 * same seed each time, the long form with a new one. Which of two calls at once is first is chance, so either goes on with
 * the next seeds until everything has come up that is to be shown. MODEL_SEED and MODEL_PATH repeat a run, with the seed
 * that a failure prints and the first number of its path, in the same form.
 */
const path = process.env.MODEL_PATH;
const numRuns = shortOrLong(1, 60);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterEach(async () => {
  expect(circleOf(await place.database.taken())).toBeNull();
});
afterAll(() => place.close());

/** More runs than chance needs to show everything. */
const MORE_RUNS = 30;

it.for([
  ['people trade', 'everything', ['matches', 'counters', 'deposits'], 52],
  ['people trade in rings', 'rings', ['rings'], 13],
  ['people settle differences with money', 'prices', ['legClaims', 'paidSwaps', 'paidRings'], 24],
  ['people buy, claim and are banned', 'sales', [], 305],
  ['people come and go', 'goodbyes', [], 305],
] as const)('does as the model says, when %s', async ([, mix, shown, shortSeed], { annotate }) => {
  const seed = Number(process.env.MODEL_SEED ?? shortOrLong(shortSeed, Date.now() % 2 ** 31));
  const { property, counts } = obeysTheModel(place, mixOf(mix));
  await fc.assert(property, { seed, numRuns, ...(path !== undefined && { path }) });
  expect(counts.acts).toBeGreaterThan(numRuns * 20);
  const missing = () => shown.filter((what) => place.seen[what] === 0);
  const last = process.env.MODEL_SEED === undefined && path === undefined ? seed + MORE_RUNS : seed;
  for (let next = seed + 1; next <= last && missing().length > 0; next += 1) {
    await fc.assert(property, { seed: next, numRuns: 1 });
  }
  await annotate(`seed ${seed}, ${counts.acts} commands: ${JSON.stringify(counts.answers)}`);
  if (last > seed) expect(missing()).toEqual([]);
});
