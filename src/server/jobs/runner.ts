import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import PgBoss from 'pg-boss';
import type { Context } from '#server/context/context.ts';
import type { Logger, ProgramLogger } from '#server/core/log.ts';
import { inSpan } from '#server/core/tracing.ts';
import type { ConnectionPool } from '#server/database/connections.ts';
import { recordRun, registerJobs } from '#server/oversight/checks/service.ts';
import { configNow } from '#server/people/settings/service.ts';
import { type Job, runOf } from './job.ts';
import { JOBS } from './jobs.ts';

/** Everything in a job's context but the caller. */
type JobDeps = Omit<Context, 'actor' | 'ip' | 'userAgent' | 'log'> & { readonly log: ProgramLogger };

/** How long running jobs may take to finish when the program stops. */
const DRAIN_MS = 5_000;

/** What waits in the queue. */
export interface QueueState {
  readonly waiting: number;
  readonly active: number;
  /** How long the oldest run that is due has waited. */
  readonly lagSeconds: number;
}

export interface Jobs {
  queue(): Promise<QueueState>;
  /** Lets running jobs finish; afterwards they make no database queries. */
  stop(): Promise<void>;
}

/**
 * Starts the jobs. Each runs at once, to catch up, and then on its schedule. The queue is in the database (schema
 * `pgboss`, created at the first start), so that only one of several processes takes each run. A failed job is logged
 * and runs again on schedule.
 */
export async function startJobs(
  deps: JobDeps,
  pool: Pick<ConnectionPool, 'query'>,
  jobs: readonly Job[] = JOBS,
): Promise<Jobs> {
  const gate = createGate(pool, deps.log);
  let isStopping = false;
  /** Tell each run that goes on to stop. */
  const stops = new Set<AbortController>();
  const boss = new PgBoss({
    db: { executeSql: gate.executeSql } as PgBoss.Db,
    maintenanceIntervalSeconds: 60,
  });
  boss.on('error', (error) => deps.log.warn({ err: error }, 'the job queue reports an error'));
  try {
    await boss.start();
    await registerJobs(deps, jobs);
    for (const job of jobs) await prepareJob(boss, job);
  } catch (error) {
    await boss.stop({ graceful: false, wait: false });
    throw error;
  }
  gate.tolerateFailures();
  for (const job of jobs) {
    await boss.work(job.name, { pollingIntervalSeconds: 2 }, async ([run]) => {
      const stop = new AbortController();
      if (isStopping) stop.abort();
      stops.add(stop);
      await gate.track(runJob(job, deps, run?.id, stop.signal)).finally(() => stops.delete(stop));
    });
  }
  return {
    async queue() {
      const { rows } = await pool.query<QueueState>(QUEUE_STATE);
      return rows[0] ?? { waiting: 0, active: 0, lagSeconds: 0 };
    },
    async stop() {
      isStopping = true;
      for (const stop of stops) stop.abort();
      await boss.stop({ timeout: DRAIN_MS });
      // pg-boss waits neither for a run that it was fetching when it stopped, nor for storing the outcome of any run.
      await gate.drain();
    },
  };
}

const QUEUE_STATE = `
  select count(*) filter (where state < 'active') as waiting, count(*) filter (where state = 'active') as active,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active')), 0)::float8 as "lagSeconds"
  from pgboss.job where state <= 'active' and start_after <= now()`;

const PREPARE_TRIES = 5;
const PREPARE_PAUSE_MS = 100;
/**
 * Two processes that start at once can deadlock over pg-boss's tables (40P01), and one can miss the partition of a queue
 * for a moment that the other has just created (23514).
 */
const RACES = ['40P01', '23514'];

/** Creates a job's queue if it does not exist, schedules the job and queues its first run. */
async function prepareJob(boss: PgBoss, { name, cron }: Job): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // `short`: at most one run waits. Two runs at once do no harm: every change is a compare-and-set.
      await boss.createQueue(name, { name, policy: 'short', retryLimit: 0, expireInSeconds: 300 });
      await boss.schedule(name, cron);
      await boss.send(name, {});
      return;
    } catch (error) {
      const isRace = error instanceof pg.DatabaseError && RACES.includes(error.code ?? '');
      if (!isRace || attempt === PREPARE_TRIES) throw error;
      await sleep(attempt * PREPARE_PAUSE_MS);
    }
  }
}

/** Each line of a run names the job and its id in the queue. */
async function runJob(
  job: Job,
  deps: JobDeps,
  jobId: string | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const log = deps.log.child({ job: job.name, jobId });
  try {
    const ctx = { ...deps, config: configNow(deps), log, actor: null, ip: 'job', userAgent: '' };
    await inSpan(`job ${job.name}`, {}, () => recordRun(ctx, job.name, () => runOf(job, ctx, stopping)));
  } catch (error) {
    log.error({ err: error }, 'a job failed');
  }
}

/**
 * Gives pg-boss access to our pool. pg-boss does not await the statements that store a job's outcome, so a rejection
 * there would end the process. Once started, a failing statement is therefore logged and returns undefined, as
 * pg-boss's own database does while it is closed.
 */
function createGate(pool: Pick<ConnectionPool, 'query'>, log: Logger) {
  const running = new Set<Promise<unknown>>();
  let isTolerant = false;
  let isFailing = false;

  /** Makes `drain` wait for `work`. */
  async function track<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  return {
    track,
    async executeSql(text: string, values: unknown[]): Promise<pg.QueryResult | undefined> {
      try {
        const result = await track(pool.query(text, values));
        isFailing = false;
        return result;
      } catch (error) {
        if (!isTolerant) throw error;
        // Several queries run every two seconds: one warning is enough until the database answers again.
        if (!isFailing) log.warn({ err: error }, 'the job queue cannot reach the database');
        isFailing = true;
        return undefined;
      }
    },
    tolerateFailures() {
      isTolerant = true;
    },
    async drain() {
      do {
        await Promise.allSettled(running);
        // Work that follows, such as a fetched run or storing an outcome, has started by then.
        await setImmediate();
      } while (running.size > 0);
    },
  };
}
