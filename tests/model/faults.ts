import * as fc from 'fast-check';
import { expect, type TestContext } from 'vitest';
import { shortOrLong } from '#server/testing/rounds.ts';
import type { Mix } from './choices.ts';
import { obeysTheModel } from './run.ts';
import type { Place } from './world.ts';

const RUNS = 30;
/** With this one the faults of the short form are found in the first run. */
const SEED = shortOrLong(3, 20_350_615);

/** Proves that the model finds what it is there to find: expects that it objects to a planted fault, and notes how soon. */
export async function expectFound(where: Place, choices: Mix, annotate: TestContext['annotate']) {
  const { property, counts } = obeysTheModel(where, choices);
  const begun = performance.now();
  const { failed } = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  await annotate(`${counts.acts} commands, ${Math.round(performance.now() - begun)} ms`);
  expect(failed, `${counts.acts} commands have not found it`).toBe(true);
}
