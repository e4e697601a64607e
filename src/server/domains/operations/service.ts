import type { Health, JobHealth } from '#contract/operations.ts';
import { PAYMENT_PROVIDERS } from '#contract/sellers.ts';
import { addDays } from '#server/core/clock.ts';
import type { Context } from '../context.ts';
import { type JobRuns, redact, stateOf } from './rules.ts';
import * as store from './store.ts';

/** Records which jobs exist, so that a job that never runs shows up too. */
export async function registerJobs(
  { db }: Pick<Context, 'db'>,
  jobs: readonly { readonly name: string; readonly cron: string }[],
): Promise<void> {
  await store.putJobs(db, jobs);
}

/**
 * Runs a job and records the outcome. If recording fails, that is logged and the job still counts as done.
 * @throws whatever the run throws
 */
export async function recordRun(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  name: string,
  run: () => Promise<void>,
): Promise<void> {
  const note = async (write: Promise<void>) => {
    try {
      await write;
    } catch (error) {
      ctx.log.warn({ err: error }, 'the run of a job could not be written down');
    }
  };
  const began = performance.now();
  const end = (lastError: string | null) => {
    const durationMs = Math.round(performance.now() - began);
    return note(store.noteEnd(ctx.db, { name, at: ctx.clock(), durationMs, lastError }));
  };
  await note(store.noteStart(ctx.db, name, ctx.clock()));
  try {
    await run();
  } catch (error) {
    await end(redact(error instanceof Error ? error.message : String(error)) || 'It failed');
    throw error;
  }
  await end(null);
}

/** The health of the jobs, the payment providers' events and the mail, for admins. */
export async function health(ctx: Pick<Context, 'db' | 'clock' | 'providers'>): Promise<Health> {
  const now = ctx.clock();
  const [jobs, events, { lastSentAt, ...mail }] = await Promise.all([
    store.listJobs(ctx.db),
    store.countEvents(ctx.db, addDays(now, -1)),
    store.countMail(ctx.db),
  ]);
  return {
    jobs: jobs.map((job) => toJobHealth(job, now)),
    webhooks: PAYMENT_PROVIDERS.map((provider) => {
      const found = events.find((counted) => counted.provider === provider);
      return {
        provider,
        received24h: found?.received24h ?? 0,
        waiting: found?.waiting ?? 0,
        failing: found?.failing ?? 0,
        lastReceivedAt: found?.lastReceivedAt?.toISOString() ?? null,
        lastError: found?.lastError ? redact(found.lastError) : null,
      };
    }),
    mail: {
      ...mail,
      transport: ctx.providers.mail?.transport ?? 'none',
      lastSentAt: lastSentAt?.toISOString() ?? null,
    },
  };
}

function toJobHealth(
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
