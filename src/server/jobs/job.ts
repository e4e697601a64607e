import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#server/context/context.ts';

/** Scheduled work; each run happens once over all processes. */
export interface Job {
  readonly name: string;
  /** The schedule, in UTC. */
  readonly cron: string;
  /** Whether a run repeats the work every few seconds, because people are waiting. */
  readonly isRepeated?: true;
  /** Whether a run waits for work until it has to end. */
  readonly isWaiting?: true;
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

/** Who has asked for a link waits for their mail. */
const REPEAT_EVERY_MS = 3_000;

/**
 * Does a run of a job: its work once, or every few seconds until the run ends.
 * @returns how long the work took, the longest time of several, in milliseconds; null where nobody knows it from the waiting
 */
export async function runOf(job: Job, ctx: Context, stopping: AbortSignal): Promise<number | null> {
  const work = async (signal: AbortSignal) => {
    const begun = performance.now();
    await job.run(ctx, signal);
    return performance.now() - begun;
  };
  if (!job.isRepeated) {
    const took = await work(stopping);
    return job.isWaiting ? null : took;
  }
  const end = endOfRun(stopping);
  let longest = 0;
  while (!end.aborted) {
    longest = Math.max(longest, await work(end));
    await sleep(REPEAT_EVERY_MS, undefined, { signal: end }).catch(() => {});
  }
  return longest;
}
