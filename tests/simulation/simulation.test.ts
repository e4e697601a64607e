import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { shortOrLong } from '#tests/support/rounds.ts';
import { plant } from '../market/fault.ts';
import { PLANTED } from '../market/planted.ts';
import { seedsOf } from './findings.ts';
import { hostileOdds, odds } from './odds.ts';
import { planOf, simulate } from './run.ts';
import { shrink } from './shrink.ts';
import { SITUATIONS } from './situations.ts';

/** SEEDS=7 (or 1-1000) and DAYS=30 replay what a failure prints: `npm run simulate` sets them. */
const DAYS = Number(process.env.DAYS ?? shortOrLong(3, 30));
const SEEDS = seedsOf(process.env.SEEDS ?? shortOrLong('1-2', '1-1000'));
const [FIRST = 1] = SEEDS;
const SHRINK_MS = shortOrLong(0, 300_000);

/** HOSTILE=yes: people are out for the money of the market. */
const oddsOf = process.env.HOSTILE === undefined ? odds : hostileOdds;

/** The other forms have too few seeds for all. */
const isCounted = shortOrLong(process.env.SITUATIONS !== undefined, true);
/** In how many seeds a situation has come up. */
const counts = new Map<string, number>();

/** What a failure says: enough to replay it. */
function report(
  seed: number,
  days: number,
  { broken, history }: Awaited<ReturnType<typeof simulate>>,
): string {
  const acts = history.filter(
    (line) => line.startsWith('==') || line.startsWith('   ') || line.startsWith('—') || line.endsWith(')'),
  );
  const how = JSON.stringify(oddsOf(seed));
  const hostile = oddsOf === odds ? '' : ' --hostile';
  return [
    `npm run simulate -- --seed ${seed} --days ${days}${hostile}`,
    how,
    ...broken,
    ...acts.slice(-200),
  ].join('\n');
}

describe('a market in which everything fails now and then', () => {
  it.each(SEEDS)('keeps every promise with seed %i', async (seed) => {
    const given = { seed, plan: planOf(seed, DAYS), odds: oddsOf(seed) };
    const begun = performance.now();
    const outcome = await simulate(given);
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    // Many take hours.
    if (SEEDS.length > 2)
      process.stdout.write(
        `seed ${seed}: ${minutes} minutes, ${outcome.situations.size} situations, ${outcome.broken.length} broken\n`,
      );
    for (const one of outcome.situations) counts.set(one, (counts.get(one) ?? 0) + 1);
    if (outcome.broken.length === 0) return;
    expect.fail(report(seed, DAYS, await shrink(given, outcome, SHRINK_MS)));
  });

  it.runIf(isCounted)('gets into every situation', () => {
    const lines = SITUATIONS.map((one) => `${String(counts.get(one) ?? 0).padStart(5)}  ${one}`);
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(SITUATIONS.filter((one) => !counts.has(one))).toEqual([]);
  });

  it('does the same for the same seed', async () => {
    const given = { seed: FIRST, plan: planOf(FIRST, 1), odds: { ...odds(FIRST), faultRate: 0.01 } };
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
