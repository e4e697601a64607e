import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#server/context/context.ts';

/** Scheduled work; each run happens once over all processes. */
export interface Job {
  readonly name: string;
  /** The schedule, in UTC. */
  readonly cron: string;
  /** @param stopping aborts when the program stops, so that a long run can end itself */
  run(ctx: Context, stopping: AbortSignal): Promise<void>;
}

/** Most of a minute, so that the next run of a job that runs every minute follows at once. */
const RUN_MS = 55_000;

/**
 * The end of a run: when the program stops, or in most of a minute. The timer is our own: one of `AbortSignal.timeout` that is
 * only part of `AbortSignal.any` is forgotten by Node.js 20 when memory is cleared up, and the run would never end.
 */
export function endOfRun(stopping: AbortSignal, ms = RUN_MS): AbortSignal {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), ms).unref();
  const stop = () => {
    clearTimeout(timer);
    end.abort();
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { signal: end.signal });
  return end.signal;
}

/** Short, because people are waiting: who has asked for a link, for their mail. */
const POLL_EVERY_MS = 3_000;

/** Repeats some work every few seconds until the run ends. */
export async function poll(stopping: AbortSignal, work: (end: AbortSignal) => Promise<void>): Promise<void> {
  const end = endOfRun(stopping);
  while (!end.aborted) {
    await work(end);
    await sleep(POLL_EVERY_MS, undefined, { signal: end }).catch(() => {});
  }
}
