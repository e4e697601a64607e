import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { PLANTED } from './planted.ts';

/**
 * `npm run simulate -- --seed 7 --days 30` repeats one month, which a failure names; `--seed 1-100` tries many. `--fault`
 * plants, one after the other, the faults whose names it matches, and says with which seed each is found.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, days: { type: 'string' }, fault: { type: 'string' } },
});
const { seed, days, fault } = values;
Object.assign(process.env, { ...(seed && { SEEDS: seed }), ...(days && { DAYS: days }) });

async function run(testNamePattern: string): Promise<void> {
  const vitest = await startVitest('test', ['tests/simulation/simulation.test.ts'], {
    watch: false,
    testNamePattern,
  });
  await vitest.close();
}

if (fault === undefined) await run('keeps every promise');
for (const { name } of fault === undefined ? [] : PLANTED.filter((one) => new RegExp(fault).test(one.name))) {
  process.env.PLANTED = name;
  await run('finds that');
}
