import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { buildApp } from '#server/app.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import type { Job } from '#server/jobs/job.ts';
import { JOBS } from '#server/jobs/jobs.ts';
import { openProgram } from '#server/program.ts';
import { ask } from './load.ts';

/** What one run of a job takes. */
interface Run {
  readonly seconds: number;
  /** Blocks of 8 kB that the database reads, from memory or from the disk. */
  readonly blocks: number;
  /** Of the log, which all databases of a server share. */
  readonly logKb: number;
  /** The longest transaction. */
  readonly longestSeconds: number;
  /** How much more memory the process has at the most. */
  readonly memoryMb: number;
  /** How many times as slow the slowest of a hundred answers of the newest page is; null: the run is too short to say. */
  readonly slowdown: number | null;
}

/** The first run on a market that no job has seen, and the next one. */
export interface JobRow {
  readonly name: string;
  readonly first: Run;
  readonly again: Run;
}

/** So many answers say how slow the slowest of a hundred is. */
const ANSWERS = 300;
const EVERY_MS = 100;
/** No run takes longer: it is told to stop. */
const MOST_MS = 10 * 60_000;

/** Runs each job twice in a market, and measures what it takes. @param settings of a program on the market's database */
export async function measureJobs(
  settings: Record<string, string> & { readonly DATABASE_URL: string },
  {
    jobs = JOBS,
    onProgress,
  }: { jobs?: readonly Job[]; onProgress?: ((text: string) => void) | undefined } = {},
): Promise<JobRow[]> {
  const watch = new pg.Client({ connectionString: settings.DATABASE_URL, application_name: 'watch' });
  await watch.connect();
  const list = await measureList(settings, watch);
  const rows: JobRow[] = [];
  for (const job of jobs) {
    const first = await measureJob(job, settings, watch, list);
    const again = await measureJob(job, settings, watch, list);
    rows.push({ name: job.name, first, again });
    onProgress?.(`${job.name}: ${first.seconds.toFixed(1)} s, ${again.seconds.toFixed(1)} s`);
  }
  await watch.end();
  return rows;
}

type Open = Awaited<ReturnType<typeof openProgram>>;

/** A program that runs no jobs of its own; what its connections have read is counted when they are closed. */
export async function withProgram<Result>(
  settings: Record<string, string>,
  work: (program: Open, url: string) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(settings);
  const program = await openProgram(config, createLogger(config));
  const app = await buildApp(program.deps, { webRoot: '', isReady: async () => true });
  try {
    return await work(program, await app.listen({ host: '127.0.0.1', port: 0 }));
  } finally {
    await app.close();
    await program.close();
  }
}

/** Asks for the newest page, one time after the other. @returns the milliseconds of each answer */
async function timesOf(url: string, isOver: (answers: number) => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  while (!isOver(times.length)) {
    const begun = performance.now();
    await ask(agent, { url });
    times.push(performance.now() - begun);
  }
  agent.destroy();
  return times;
}

const slowestOf = (times: readonly number[]) =>
  times.toSorted((one, other) => other - one)[Math.floor(times.length / 100)] ?? Number.NaN;

/** What the database has read and written until now. */
async function readCosts(watch: pg.Client): Promise<{ blocks: number; logBytes: number }> {
  const { rows } = await watch.query(`
    select (blks_read + blks_hit)::float8 as blocks, (pg_current_wal_insert_lsn() - '0/0')::float8 as "logBytes"
    from pg_stat_database where datname = current_database()`);
  return rows[0];
}

const LONGEST_SQL = `
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds from pg_stat_activity
  where datname = current_database() and application_name <> 'watch'`;

/** The newest page on a market that nothing else is busy with. */
async function measureList(settings: Record<string, string>, watch: pg.Client) {
  const before = await readCosts(watch);
  const times = await withProgram(settings, (_, url) =>
    timesOf(`${url}/api/coupons`, (answers) => answers >= ANSWERS),
  );
  const { blocks } = await readCosts(watch);
  return { slowestMs: slowestOf(times), blocks: (blocks - before.blocks) / ANSWERS };
}

async function measureJob(
  job: Job,
  settings: Record<string, string>,
  watch: pg.Client,
  list: Awaited<ReturnType<typeof measureList>>,
): Promise<Run> {
  const before = await readCosts(watch);
  const { times, ...run } = await withProgram(settings, async ({ deps }, url) => {
    const ctx = { ...deps, config: deps.config, actor: null, ip: 'job', userAgent: '' };
    const [idle, begun] = [process.memoryUsage().rss, performance.now()];
    let [isOver, most, longestSeconds] = [false, idle, 0];
    const loaded = timesOf(`${url}/api/coupons`, () => isOver);
    const watched = (async () => {
      while (!isOver) {
        const { rows } = await watch.query<{ seconds: number }>(LONGEST_SQL);
        longestSeconds = Math.max(longestSeconds, rows[0]?.seconds ?? 0);
        most = Math.max(most, process.memoryUsage().rss);
        await sleep(EVERY_MS);
      }
    })();
    await job.run(ctx, AbortSignal.timeout(MOST_MS)).finally(() => {
      isOver = true;
    });
    const seconds = (performance.now() - begun) / 1_000;
    const [times] = await Promise.all([loaded, watched]);
    return { times, seconds, longestSeconds, memoryMb: (most - idle) / 1_048_576 };
  });
  const after = await readCosts(watch);
  return {
    ...run,
    blocks: Math.max(0, after.blocks - before.blocks - times.length * list.blocks),
    logKb: (after.logBytes - before.logBytes) / 1_024,
    slowdown: times.length < ANSWERS ? null : slowestOf(times) / list.slowestMs,
  };
}
