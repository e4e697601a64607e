import { setFlagsFromString } from 'node:v8';
import { loadConfig } from '#server/core/config.ts';
import { main } from '#server/main.ts';
import { isPrimary, runWorkers } from '#server/workers.ts';
import { seedDemoOnce } from './seed.ts';

/** Fills an empty marketplace with demo data, and runs it in as many processes as the settings say. */
// On a machine with much memory V8 lets garbage of a few requests double the heap. A third is enough.
setFlagsFromString('--heap-growing-percent=30');
const config = loadConfig();
await (isPrimary(config) ? runWorkers(config) : main({ config, prepare: seedDemoOnce }));
if (isPrimary(config) || config.webConcurrency === 1)
  console.log(`\n  ClipSwap is open at ${config.publicUrl}\n  Stop it with Ctrl-C.\n`);
