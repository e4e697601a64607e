import { describe, expect, it } from 'vitest';
import { shortOrLong } from '#server/testing/rounds.ts';
import { PLANTED } from './planted.ts';
import { planOf, simulate } from './run.ts';
import { shrink } from './shrink.ts';

/**
 * SEEDS=7 (or 1-1000), DAYS=30 and FAULT="a mail is lost" replay what a failure prints: `npm run simulate` sets them. The
 * short form always does the same.
 */
const DAYS = Number(process.env.DAYS ?? shortOrLong(4, 30));
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
    const { outcome: least } = await shrink(given, outcome, SHRINK_MS);
    expect.fail(report(seed, DAYS, least));
  });

  it('does the same for the same seed', async () => {
    const given = { seed: FIRST, plan: planOf(FIRST, 1), faultRate: FAULT_RATE };
    const [one, other] = [await simulate(given), await simulate(given)];
    expect(other.history).toEqual(one.history);
  });
});

const FAULTS = PLANTED.filter(({ name }) =>
  new RegExp(process.env.FAULT ?? shortOrLong('a mail is lost', '')).test(name),
);

it.each(FAULTS)('finds that $name', async (planted) => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { broken } = await simulate({
      seed,
      plan: planOf(seed, shortOrLong(3, 10)),
      faultRate: FAULT_RATE,
      planted,
    });
    if (broken.length > 0) {
      process.stdout.write(`${planted.name}: seed ${seed}, ${broken[0]?.slice(0, 200)}\n`);
      return;
    }
  }
  expect.fail('20 seeds have not found it');
});
