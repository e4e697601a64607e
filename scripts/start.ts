import { existsSync } from 'node:fs';
import { buildWebIfStale } from './build-web.ts';

/** `npm start`: builds what is stale, fills an empty marketplace with demo data, and runs it. */
const isDeployed = !existsSync(new URL('../src/web', import.meta.url));
if (!isDeployed) {
  console.log('ClipSwap is starting …');
  if (await buildWebIfStale()) console.log('The web application is built.');
}

const [{ main }, { seedDemoOnce }] = await Promise.all([
  import('../src/server/main.ts'),
  import('./seed.ts'),
]);
const address = await main({ prepare: seedDemoOnce });
console.log(`\n  ClipSwap is open at ${address}\n  Stop it with Ctrl-C.\n`);
