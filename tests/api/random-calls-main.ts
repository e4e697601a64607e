import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/** `npm run calls -- --seed 7 --minutes 20` makes other calls than the short form, and more of them. */
const { values } = parseArgs({ options: { seed: { type: 'string' }, minutes: { type: 'string' } } });
Object.assign(process.env, {
  CALLS_SEED: values.seed ?? '1',
  CALLS_MINUTES: values.minutes ?? '20',
});
await startVitest('test', ['tests/api/random-calls.test.ts'], { watch: false });
