import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { PLANTED } from '../market/planted.ts';

/**
 * `npm run simulate -- --seed 7 --days 30` repeats one month, which a failure names; `--seed 1-100` tries many. `--fault`
 * plants, one after the other, the faults whose names it matches, and says with which seed each is found; with `--model` the
 * model looks for them.
 */
const { values } = parseArgs({
  options: {
    ...{ seed: { type: 'string' }, days: { type: 'string' }, fault: { type: 'string' } },
    model: { type: 'boolean' },
  },
});
const { seed, days, fault, model = false } = values;
Object.assign(process.env, { ...(seed && { SEEDS: seed }), ...(days && { DAYS: days }) });

const vitest = await createVitest('test', { watch: false });
await vitest.standalone();
const files = await vitest.globTestSpecifications([
  model ? 'tests/model/faults.test.ts' : 'tests/simulation/simulation.test.ts',
]);

async function run(testNamePattern: string): Promise<void> {
  vitest.setGlobalTestNamePattern(testNamePattern);
  await vitest.runTestSpecifications(files);
}

if (fault === undefined) await run('keeps every promise');
for (const { name, file } of fault === undefined
  ? []
  : PLANTED.filter((one) => new RegExp(fault).test(one.name))) {
  const built = path.resolve('src/server', file);
  process.env.PLANTED = name;
  vitest.invalidateFile(built);
  await run('finds that');
  vitest.invalidateFile(built);
}
await vitest.close();
