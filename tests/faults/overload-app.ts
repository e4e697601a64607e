import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { main } from '#server/main.ts';

/** The marketplace, which on SIGCONT collects garbage and writes how many megabytes are left. */
setFlagsFromString('--expose_gc');
const collectGarbage: () => void = runInNewContext('gc');
process.on('SIGCONT', () => {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  process.stdout.write(`memory ${Math.round(heapUsed / 1e6)} ${Math.round(rss / 1e6)}\n`);
});
await main();
