import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/**
 * `npm run simulate -- --seed 7 --days 30` repeats one month, which a failure names; `--seed 1-100` tries many. `--fault`
 * plants those faults whose names it matches, and says with which seed each is found.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, days: { type: 'string' }, fault: { type: 'string' } },
});
Object.assign(process.env, {
  ...(values.seed && { SEEDS: values.seed }),
  ...(values.days && { DAYS: values.days }),
  ...(values.fault && { FAULT: values.fault }),
});
await startVitest('test', ['tests/simulation/simulation.test.ts'], { watch: false });
