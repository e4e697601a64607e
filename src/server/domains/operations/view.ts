import type { JobHealth } from '#contract/operations.ts';
import { type JobRuns, stateOf } from './rules.ts';

/** A job as admins see it. */
export function toJobHealth(
  job: JobRuns & { readonly name: string; readonly durationMs: number | null },
  now: Date,
): JobHealth {
  return {
    name: job.name,
    cron: job.cron,
    lastStartedAt: job.startedAt?.toISOString() ?? null,
    lastSucceededAt: job.succeededAt?.toISOString() ?? null,
    lastDurationMs: job.durationMs,
    lastError: job.lastError,
    state: stateOf(job, now),
  };
}
