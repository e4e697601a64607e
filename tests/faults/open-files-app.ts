import { closeSync, openSync } from 'node:fs';
import { openProcesses } from '#server/readers/pictures/processes.ts';

/** Asks for answers of processes while no file can be opened, and after that. Prints what came of it. SCRIPT is what they load. */

const pool = openProcesses<{ say: string }, string>({
  script: process.env.SCRIPT ?? '',
  processes: 1,
  timeLimitMs: 60_000,
  queueLimit: 8,
  heapMb: 64,
  memoryMb: 320,
  idleMs: 60_000,
});
const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // No more can be opened.
}
const ask = (say: string) => pool.run({ say }).catch((error: unknown) => String(error));
const without = await Promise.all([ask('one'), ask('two')]);
for (const file of files) closeSync(file);
const after = await Promise.all([ask('three'), ask('four')]);
process.stdout.write(JSON.stringify({ without, after }));
await pool.close();
