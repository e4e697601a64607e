import { main } from '#server/main.ts';
import { seedDemoOnce } from './seed.ts';

/** Fills an empty marketplace with demo data, and runs it. */
const address = await main({ prepare: seedDemoOnce });
console.log(`\n  ClipSwap is open at ${address}\n  Stop it with Ctrl-C.\n`);
