import { main } from '#server/main.ts';
import { isPrimary, runWorkers } from '#server/workers.ts';
import { seedDemoOnce } from '../demo/seed.ts';
import { loadConfigWithSandbox } from './sandbox.ts';

/**
 * Fills an empty marketplace with demo data, and runs it in as many processes as the settings say. `npm start` sets
 * `--max-semi-space-size`: with 8 MB for new objects instead of 16, garbage of requests takes less memory.
 */
async function start(): Promise<void> {
  const config = await loadConfigWithSandbox();
  if (isPrimary(config)) await runWorkers(config);
  else await main({ config, prepare: seedDemoOnce });
  if (isPrimary(config) || config.webConcurrency === 1)
    console.log(`\n  ClipSwap is open at ${config.publicUrl}\n  Stop it with Ctrl-C.\n`);
}

/** Whether an error is a sentence of ours for the operator, such as one about a setting, and no fault of the program. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && error.constructor === Error && !('code' in error);

await start().catch((error: unknown) => {
  if (!isRefusal(error)) throw error;
  console.error(error.message);
  process.exit(1);
});
