import { setFlagsFromString } from 'node:v8';
import { loadConfig } from '#server/core/config.ts';
import { main } from '#server/main.ts';
import { isPrimary, runWorkers } from '#server/workers.ts';
import { seedDemoOnce } from './seed.ts';

/**
 * `npm start` runs this with options of V8, for less memory:
 * - `--max-semi-space-size`: less garbage of requests waits for its collection.
 * - `--heap-growing-percent`: on a machine with much memory, V8 lets garbage of a few requests double the heap. A third
 *   is enough for a start. With 70 for requests, the heap is collected half as often, and takes 12 MB more under load.
 * - `--no-opt` and `--no-sparkplug`: what a start does, it does once. Compiled code for that takes longer than it saves,
 *   and its compilers take memory that V8 keeps. The code of requests is compiled.
 */
function optimizeFromHere(): void {
  setFlagsFromString('--heap-growing-percent=70');
  setFlagsFromString('--opt');
  setFlagsFromString('--sparkplug');
}

/** Fills an empty marketplace with demo data, and runs it in as many processes as the settings say. */
const config = loadConfig();
if (isPrimary(config)) await runWorkers(config);
else {
  await main({
    config,
    async prepare(program) {
      // The demo is thousands of requests.
      if (config.seedDemo) optimizeFromHere();
      await seedDemoOnce(program);
    },
  });
}
optimizeFromHere();
if (isPrimary(config) || config.webConcurrency === 1)
  console.log(`\n  ClipSwap is open at ${config.publicUrl}\n  Stop it with Ctrl-C.\n`);
