import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { shortOrLong } from '#tests/support/rounds.ts';
import { PLANTED } from '../market/planted.ts';
import { countReached } from '../market/reached.ts';
import { noteFinding, noteSeed, readSeeds, seedsFor, seedsOf } from './findings.ts';
import { odds } from './odds.ts';
import { type Outcome, planOf, simulate } from './run.ts';

/** The simulation finds what it is there to find. `npm run simulate -- --fault .` runs these, one after the other. */

const DAYS = Number(process.env.DAYS ?? shortOrLong(3, 5));
const SEEDS = seedsOf(process.env.SEEDS ?? '1-8');
/** A long time for one fault, of people who wait for the answer. */
const SEARCH_MS = 60_000 * Number(process.env.MINUTES ?? 10);

const runSeed = (seed: number): Promise<Outcome> =>
  simulate({ seed, plan: planOf(seed, DAYS), odds: odds(seed) });
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const hashesOf = ({ history, contents }: Outcome) => ({
  history: hashOf(history.join('\n')),
  contents: hashOf(contents),
});
const minutesSince = (begin: number) => (performance.now() - begin) / 60_000;

it('a counter at the place of each fault leaves the code as it was', async () => {
  for (const file of new Set(PLANTED.map((fault) => fault.file))) {
    const source = await readFile(new URL(`../../src/server/${file}`, import.meta.url), 'utf8');
    const here = PLANTED.filter((fault) => fault.file === file);
    const counted = countReached(source, here);
    for (const { name } of here) expect(counted.split(JSON.stringify(name))).toHaveLength(2);
    expect(ts.transpileModule(counted, { reportDiagnostics: true }).diagnostics).toEqual([]);
    const without = counted.replace(/globalThis\.placeReached\?\.\("[^"]*"\)/g, '');
    expect(without.replace(/[\s;(){},]/g, '')).toBe(source.replace(/[\s;(){},]/g, ''));
  }
});

it('the seeds that reach a place most often for their time are tried first', () => {
  const seen = (seed: string, minutes: number, times: number, broken: string | null = null) => ({
    ...{ seed, minutes, broken, reached: { 'a mail is lost': times }, history: '', contents: '' },
  });
  const seeds = [
    seen('1', 1, 2),
    seen('2', 4, 4),
    seen('3', 1, 9, 'the books'),
    seen('4', 1, 0),
    seen('5', 1, 3),
  ];
  expect(seedsFor('a mail is lost', seeds).map(({ seed }) => seed)).toEqual(['5', '1', '2']);
});

// vitest.config.ts has built the server with counters at the places of all faults.
it.each(
  process.env.COUNTED ? SEEDS.filter((one) => !readSeeds().some(({ seed }) => seed === String(one))) : [],
)('sees which places seed %i reaches', async (seed) => {
  const reached: Record<string, number> = {};
  globalThis.placeReached = (fault) => {
    reached[fault] = (reached[fault] ?? 0) + 1;
  };
  const begin = performance.now();
  const outcome = await runSeed(seed);
  const seen = {
    seed: String(seed),
    minutes: minutesSince(begin),
    broken: outcome.broken[0] ?? null,
    reached,
  };
  noteSeed({ ...seen, ...hashesOf(outcome) });
  process.stdout.write(
    `seed ${seed}: ${seen.minutes.toFixed(1)} minutes, ${Object.keys(reached).length} places; ${seen.broken ?? 'nothing broken'}\n`,
  );
});

// vitest.config.ts has built the server with it.
it.each(process.env.PLANTED ? [process.env.PLANTED] : [])('finds that %s', async (fault) => {
  const begin = performance.now();
  const seen = readSeeds();
  const seeds = seedsFor(fault, seen);
  const tried: string[] = [];
  let isAnother = false;
  for (const { seed, history, contents } of seeds) {
    if (performance.now() > begin + SEARCH_MS) break;
    tried.push(seed);
    const outcome = await runSeed(Number(seed));
    const [found] = outcome.broken;
    const now = hashesOf(outcome);
    isAnother ||= now.history !== history || now.contents !== contents;
    if (found === undefined) continue;
    noteFinding({
      fault,
      by: 'simulation',
      seed,
      minutes: minutesSince(begin),
      isReached: true,
      isAnother,
      found,
    });
    process.stdout.write(`found: ${fault}; seed ${seed}, hour ${outcome.hour}: ${found.slice(0, 300)}\n`);
    return;
  }
  noteFinding({
    ...{ fault, by: 'simulation', seed: tried.join(', '), minutes: minutesSince(begin), found: null },
    isReached: seen.length === 0 ? null : seeds.length > 0,
    isAnother: tried.length === 0 ? null : isAnother,
  });
  expect.fail(
    seeds.length === 0 ? 'No seed reaches its place' : `No check objects in seeds ${tried.join(', ')}`,
  );
});
