import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { inTransaction } from '#server/database/client.ts';
import { queueAccountMail } from '#server/people/notifications/service.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { createTestContext, createUser } from '#tests/support/builders.ts';
import { connectTo, createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { startMailServer } from '#tests/support/mail.ts';
import { endOfRun, type Job, runOf } from './job.ts';
import { JOBS, mail } from './jobs.ts';
import { startJobs } from './runner.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const EVERY_MINUTE = '* * * * *';

it('several processes start the jobs at once, and only one of them takes each run', async () => {
  let runs = 0;
  const deps = createTestContext(database);
  const lines: Record<string, unknown>[] = [];
  const sink = new PassThrough().on('data', (line) => lines.push(JSON.parse(String(line))));
  const log = createLogger({ logLevel: 'info', isProduction: true }, sink);
  const start = () =>
    startJobs({ ...deps, log }, database.pool, [
      {
        name: 'counted',
        cron: EVERY_MINUTE,
        run: async (ctx) => {
          runs += 1;
          ctx.log.info('at work');
          throw new Error('it fails, too');
        },
      },
    ]);
  const processes = await Promise.all([start(), start(), start()]);
  await expect.poll(() => runs).toBeGreaterThan(0);
  await Promise.all(processes.map((jobs) => jobs.stop()));
  const { rows } = await database.pool.query<{ id: string; state: string }>(
    "select id, state from pgboss.job where name = 'counted' and state <> 'created'",
  );
  expect(rows.map(({ state }) => state)).toEqual(Array(runs).fill('completed'));
  const { id: jobId } = rows[0] ?? {};
  const ofRun = lines.filter((line) => line.jobId === jobId);
  expect(ofRun).toMatchObject([
    { job: 'counted', msg: 'at work' },
    { job: 'counted', msg: 'a job failed', err: { message: 'it fails, too' } },
  ]);
});

it('many runs at once listen for the end of the program without a warning of Node.js', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const ended: string[] = [];
  const names = Array.from({ length: 12 }, (_, place) => `listening-${place}`);
  const listening = new Set<string>();
  const jobs = await startJobs(
    createTestContext(database),
    database.pool,
    names.map((name) => ({
      name,
      cron: EVERY_MINUTE,
      async run(_ctx, stopping) {
        listening.add(name);
        await once(endOfRun(stopping), 'abort');
        ended.push(name);
      },
    })),
  );
  await expect.poll(() => listening.size).toBe(names.length);
  await jobs.stop();
  process.off('warning', note);
  expect([ended.length, warnings]).toEqual([names.length, []]);
});

it('tries again when it cannot see the partition yet that another process has just created', async () => {
  let misses = 0;
  const pool: Pick<TestDatabase['pool'], 'query'> = {
    query: async (text, values) => {
      if (misses === 0 && String(text).includes('INSERT INTO pgboss.job')) {
        misses += 1;
        throw Object.assign(new pg.DatabaseError('no partition of relation "job"', 0, 'error'), {
          code: '23514',
        });
      }
      return database.pool.query(text, values);
    },
  };
  const jobs = await startJobs(createTestContext(database), pool, [mail]);
  await jobs.stop();
  expect(misses).toBe(1);
});

it('schedules each job', async () => {
  const jobs = await startJobs(createTestContext(database), database.pool);
  await jobs.stop();
  const { rows } = await database.pool.query<{ name: string; cron: string }>(
    'select name, cron from pgboss.schedule',
  );
  const crons = Object.fromEntries(rows.map(({ name, cron }) => [name, cron]));
  expect(Object.keys(crons).sort()).toEqual(JOBS.map(({ name }) => name).sort());
  expect(crons).toMatchObject({ mail: EVERY_MINUTE, 'reconciliation-stripe': '40 4 * * *' });
});

it('survives losing the database in the middle of a job', async () => {
  const { pool } = connectTo(database, 2);
  const deps = createTestContext(database);
  const warn = vi.spyOn(deps.log, 'warn');
  let hasRun = false;
  const jobs = await startJobs(deps, pool, [
    {
      name: 'struck',
      cron: EVERY_MINUTE,
      run: async () => {
        hasRun = true;
        await pool.end();
      },
    },
  ]);
  await expect.poll(() => hasRun).toBe(true);
  await expect
    .poll(() => warn.mock.calls.map((line) => line.at(1)))
    .toContain('the job queue cannot reach the database');
  await jobs.stop();
});

it('the mail job sends queued mail with a working link, and ends when the program stops', async () => {
  const server = await startMailServer();
  const mailer = createSmtpMailer(server.settings);
  const ctx = createTestContext(database, { providers: { mail: mailer } });
  const person = await createUser(ctx);
  const stopping = new AbortController();
  const queue = (kind: 'password_changed' | 'reset_password') =>
    inTransaction(ctx.db, (trx) =>
      queueAccountMail(trx, {
        kind,
        userId: null,
        address: `${person.username}@example.org`,
        at: ctx.clock(),
      }),
    );
  await queue('password_changed');
  const running = runOf(mail, ctx, stopping.signal);
  await server.waitFor(1);
  await queue('reset_password');
  const [, reset] = await server.waitFor(2);
  expect(reset?.text).toMatch(/http:\/\/localhost\/reset-password\?token=[\w-]{43}\n/);
  stopping.abort();
  await running;
  await mailer?.close();
  await server.close();
});

it('a run says how long its work took, without the waiting', async () => {
  const ctx = createTestContext(database);
  const WAITED_MS = 50;
  const timeOf = async (how: Pick<Job, 'isRepeated' | 'isWaiting'>) => {
    const stopping = new AbortController();
    const run = async () => void setTimeout(() => stopping.abort(), WAITED_MS);
    const begun = performance.now();
    const took = await runOf({ name: 'one', cron: '* * * * *', run, ...how }, ctx, stopping.signal);
    return { took, all: performance.now() - begun };
  };
  const repeated = await timeOf({ isRepeated: true });
  expect(repeated.took).toBeLessThan(repeated.all - WAITED_MS / 2);
  expect((await timeOf({})).took).toEqual(expect.any(Number));
  expect((await timeOf({ isWaiting: true })).took).toBeNull();
});
