/** `npm run seed`: fills an empty marketplace with the demo data, as the first start does. */
import { createLogger } from '#server/core/log.ts';
import { openProgram } from '#server/program.ts';
import { fillIfEmpty } from '../demo/seed.ts';
import { loadConfigWithSandbox } from './sandbox.ts';

async function run(): Promise<void> {
  const config = await loadConfigWithSandbox();
  if (!config.seedDemo) {
    console.log('Nothing was done: SEED_DEMO is false, as it is in production unless you set it.');
    return;
  }
  const program = await openProgram(config, createLogger({ ...config, logLevel: 'warn' }));
  try {
    const isFilled = await fillIfEmpty(program);
    if (!isFilled) console.log('Nothing was done: people have registered already.');
  } finally {
    await program.close();
  }
}

await run();
