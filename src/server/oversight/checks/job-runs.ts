import cronParser from 'cron-parser';
import type { Health, JobHealth } from '#contract/oversight/operations.ts';
import { PAYMENT_PROVIDERS } from '#contract/people/sellers.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { findRun } from './checks-store.ts';
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
 * @param run returns how long its work took, in milliseconds; null where nobody knows
 * @throws whatever the run throws
 */
export async function recordRun(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  name: string,
  run: () => Promise<number | null>,
): Promise<void> {
  const note = async (write: Promise<void>) => {
    try {
      await write;
    } catch (error) {
      ctx.log.warn({ err: error }, 'the run of a job could not be written down');
    }
  };
  const began = performance.now();
  const end = (took: number | null, lastError: string | null) => {
    const durationMs = took === null ? null : Math.round(took);
    return note(store.noteEnd(ctx.db, { name, at: ctx.clock(), durationMs, lastError }));
  };
  await note(store.noteStart(ctx.db, name, ctx.clock()));
  let took: number | null;
  try {
    took = await run();
  } catch (error) {
    const said = redact(error instanceof Error ? error.message : String(error)) || 'It failed';
    await end(performance.now() - began, said);
    throw error;
  }
  await end(took, null);
}

const GIVEN_UP_SHOWN = 50;

/** The health of the jobs, the payment providers' events and the mail, for admins. */
export async function health(ctx: Pick<Context, 'db' | 'clock' | 'providers'>): Promise<Health> {
  const now = ctx.clock();
  const [lastChecks, jobs, events, { lastSentAt, ...mail }, newCodes] = await Promise.all([
    findRun(ctx.db, 'checks'),
    store.listJobs(ctx.db),
    store.countEvents(ctx.db, addDays(now, -1)),
    store.countMail(ctx.db),
    store.readNewCodes(ctx.db, GIVEN_UP_SHOWN),
  ]);
  return {
    lastChecks: lastChecks ? { ...lastChecks, ranAt: lastChecks.ranAt.toISOString() } : null,
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
    newCodes: {
      waiting: newCodes.waiting,
      givenUp: newCodes.givenUp.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
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

/** The seconds between two runs of a job. */
export function periodOf(cron: string): number {
  const runs = cronParser.parseExpression(cron, { utc: true });
  return (runs.next().getTime() - runs.prev().getTime()) / 1_000;
}

/** The recorded runs of a job. */
interface JobRuns {
  readonly cron: string;
  readonly startedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly lastError: string | null;
}

/** A job is late after this many periods without a success. */
const PERIODS_UNTIL_LATE = 2;

/** The state of a job: it has never run; its last run failed; its last success is too long ago; or it is fine. */
export function stateOf({ cron, startedAt, succeededAt, lastError }: JobRuns, now: Date): JobHealth['state'] {
  if (startedAt === null) return 'never';
  if (lastError !== null) return 'failing';
  const since = (now.getTime() - (succeededAt ?? startedAt).getTime()) / 1_000;
  return since > PERIODS_UNTIL_LATE * periodOf(cron) ? 'late' : 'ok';
}

const MESSAGE_MAX = 300;

/**
 * An error message in one line that an admin may see: without passwords in URLs, e-mail addresses, query strings and
 * anything long enough to be a key or a token.
 */
export function redact(message: string): string {
  return message
    .replace(/\/\/[^\s/@]+@/g, '//')
    .replace(/[^\s<>"']+/g, (word) => (/^[^@]+@[^@.]+\./.test(word) ? '…' : word))
    .replace(/\?[^\s"']*/g, (query) => (query.includes('=') ? '?…' : query))
    .replace(/[\w+=-]{20,}/g, (word) => (/\d/.test(word) ? '…' : word))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MESSAGE_MAX);
}
