import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { shortOrLong } from '#tests/support/rounds.ts';
import { PLANTED, plant } from '../market/planted.ts';
import { planOf, simulate } from './run.ts';
import { shrink } from './shrink.ts';

/** SEEDS=7 (or 1-1000) and DAYS=30 replay what a failure prints: `npm run simulate` sets them. */
const DAYS = Number(process.env.DAYS ?? shortOrLong(3, 30));
const [FIRST = 1, LAST = FIRST] = (process.env.SEEDS ?? shortOrLong('1-2', '1-1000')).split('-').map(Number);
const SEEDS = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
/** One step in so many fails. */
const FAULT_RATE = 1 / 100;
const SHRINK_MS = shortOrLong(0, 300_000);

/** What a failure says: enough to replay it. */
function report(
  seed: number,
  days: number,
  { broken, history }: Awaited<ReturnType<typeof simulate>>,
): string {
  const acts = history.filter(
    (line) => line.startsWith('==') || line.startsWith('   ') || line.startsWith('—') || line.endsWith(')'),
  );
  return [`npm run simulate -- --seed ${seed} --days ${days}`, ...broken, ...acts.slice(-200)].join('\n');
}

describe('a market in which everything fails now and then', () => {
  it.each(SEEDS)('keeps every promise with seed %i', async (seed) => {
    const given = { seed, plan: planOf(seed, DAYS), faultRate: FAULT_RATE };
    const outcome = await simulate(given);
    if (outcome.broken.length === 0) return;
    expect.fail(report(seed, DAYS, await shrink(given, outcome, SHRINK_MS)));
  });

  it('does the same for the same seed', async () => {
    const given = { seed: FIRST, plan: planOf(FIRST, 1), faultRate: FAULT_RATE };
    const [one, other] = [await simulate(given), await simulate(given)];
    expect(other.history).toEqual(one.history);
  });
});

it('every fault that it has to find has its place in the code', async () => {
  for (const fault of PLANTED) {
    const source = await readFile(new URL(`../../src/server/${fault.file}`, import.meta.url), 'utf8');
    expect(plant(source, fault)).not.toBe(source);
  }
});

/** A long time for one fault, of people who wait for the answer. */
const SEARCH_MS = 600_000;

// vitest.config.ts has built the server with it.
it.each(process.env.PLANTED ? [process.env.PLANTED] : [])('finds that %s', async (name) => {
  const end = performance.now() + SEARCH_MS;
  const last = process.env.SEEDS ? LAST : Number.POSITIVE_INFINITY;
  for (let seed = FIRST; seed <= last && performance.now() < end; seed += 1) {
    const { broken, hour } = await simulate({ seed, plan: planOf(seed, DAYS), faultRate: FAULT_RATE });
    if (broken.length === 0) continue;
    process.stdout.write(`found: ${name}; seed ${seed}, hour ${hour}: ${broken[0]?.slice(0, 300)}\n`);
    return;
  }
  expect.fail('No seed has found it');
});
