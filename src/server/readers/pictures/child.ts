import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Message } from './processes.ts';

/** A process of a pool: loads a script, and answers each job with what its `answer` returns. */
const [script = '', parent, memoryMb] = process.argv.slice(2);

// A terminal signals the whole group. The server lets running jobs finish, and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
const limits = { parent: Number(parent), memoryBytes: Number(memoryMb) * 2 ** 20 };
const guard = new Worker(new URL('./guard.js', import.meta.url), {
  workerData: limits,
  execArgv: [],
  // The kernel counts what V8 reserves for compiled code (processes.ts).
  resourceLimits: { codeRangeSizeMb: 16 },
});
guard.unref();

const { answer } = await import(pathToFileURL(script).href);
process.on('message', async ({ job }: { readonly job: unknown }) => {
  try {
    tell({ answer: await answer(job) });
  } catch (error) {
    // What the script keeps in memory may be damaged.
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ failure }, () => process.exit(1));
  }
});
tell({ ready: true });

function tell(message: Message<unknown>, then = () => {}): void {
  process.send?.(message, then);
}
