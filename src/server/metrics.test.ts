import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { announce } from './database/live.ts';
import { createMetrics, type Metrics, type Watched } from './metrics.ts';
import { recordRun, registerJobs } from './oversight/checks/job-runs.ts';
import { startSession } from './people/sessions/sessions.ts';
import { sessionCookieName } from './trpc/context.ts';

const QUEUE = { waiting: 3, active: 1, lagSeconds: 12.5 };

let database: TestDatabase;
let test: TestApp;
let watched: Watched;
let metrics: Metrics;
beforeAll(async () => {
  // Filled in below: an application is watched from its first moment.
  watched = {} as Watched;
  metrics = await createMetrics(watched);
  test = await createTestApp({ watch: metrics.watch });
  database = test.database;
  Object.assign(watched, test.deps, { pool: database.pool, queue: async () => QUEUE });
});
afterAll(async () => {
  await metrics.close();
  await test.close();
});

/** The values of a metric, by what stands between its braces. */
async function valuesOf(name: string, from = metrics): Promise<Map<string, number>> {
  const lines = (await from.read())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => {
      const [, labels = '', value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return [labels, Number(value)];
    }),
  );
}

describe('the durations of requests', () => {
  const counted = () => valuesOf('clipswap_http_request_duration_seconds_count');

  it('are counted by the pattern of a REST route and by the name of a procedure', async () => {
    await test.call(null, { method: 'GET', url: '/api/coupons/1' });
    await test.call(null, { method: 'GET', url: '/api/coupons/2' });
    await test.trpc(null, 'query', 'leaderboard.mine');
    const values = await counted();
    expect(values.get('method="GET",route="/api/coupons/:id",status="404"')).toBe(2);
    expect(values.get('method="GET",route="trpc leaderboard.mine",status="401"')).toBe(1);
  });

  it('leave out live lines, which are open for minutes', async () => {
    const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const person = await createUser(test.ctx);
    const { token } = await startSession(test.ctx.db, test.ctx.clock, person.id);
    const headers = { cookie: `${sessionCookieName(test.deps.config)}=${token}` };
    await test.deps.live.open();
    const line = await fetch(`${url}/api/trpc/live.events`, { headers });
    await announce(test.ctx.db, [{ userId: person.id, event: { kind: 'account' } }]);
    expect(await line.text()).toContain('"kind":"account"');
    // By the time that this is counted, the line would be.
    await fetch(`${url}/healthz`);
    await expect.poll(async () => [...(await counted()).keys()].join()).toContain('/healthz');
    expect([...(await counted()).keys()].join()).not.toContain('live.events');
  });

  it('have no more labels, whatever people ask for', async () => {
    const ask = async (round: number) => {
      await test.call(null, { method: 'GET', url: `/no-such-page-${round}` });
      await test.call(null, { method: 'GET', url: `/api/coupons/${1_000 + round}?search=${round}` });
      await test.call(null, { method: 'GET', url: `/api/nothing/${round}` });
      await test.trpc(null, 'query', `coupons.nothing${round}`);
      await test.trpc(null, 'query', '__proto__');
    };
    await ask(0);
    const before = [...(await counted()).keys()];
    for (let round = 1; round < 20; round += 1) await ask(round);
    expect([...(await counted()).keys()]).toEqual(before);
  });
});

it('pool, queue, jobs, mail, webhooks, live lines and the event loop are watched', async () => {
  const at = test.ctx.clock();
  await registerJobs(test.ctx, [
    { name: 'deadlines', cron: '* * * * *' },
    { name: 'mail', cron: '* * * * *' },
  ]);
  await recordRun(test.ctx, 'deadlines', async () => 3);
  await recordRun(test.ctx, 'mail', () => Promise.reject(new Error('no'))).catch(() => {});
  const person = await createUser(test.ctx);
  const letter = {
    userId: person.id,
    kind: 'status_changed',
    subject: 'News',
    body: 'News.',
    createdAt: at,
    nextTryAt: at,
  };
  await test.ctx.db
    .insertInto('mailOutbox')
    .values([letter, { ...letter, failedAt: at }])
    .execute();
  await test.ctx.db
    .insertInto('webhookEvents')
    .values({
      provider: 'stripe',
      eventId: 'evt_lost',
      type: 'charge.refunded',
      receivedAt: at,
      processedAt: at,
      nextTryAt: at,
      payload: Buffer.from('{}'),
      subject: JSON.stringify({ kind: 'other' }),
      lastError: 'This payment is unknown.',
    })
    .execute();
  const line = test.ctx.live.follow({ userId: person.id, ip: '192.0.2.1' });
  await line.next();

  expect(await valuesOf('clipswap_database_up')).toEqual(new Map([['', 1]]));
  expect((await valuesOf('clipswap_database_pool_connections')).get('state="waiting"')).toBe(0);
  expect((await valuesOf('clipswap_database_pool_connections')).get('state="total"')).toBeGreaterThan(0);
  expect(await valuesOf('clipswap_queue_lag_seconds')).toEqual(new Map([['', 12.5]]));
  expect((await valuesOf('clipswap_queue_jobs')).get('state="waiting"')).toBe(3);
  expect(await valuesOf('clipswap_job_ok')).toEqual(
    new Map([
      ['job="deadlines"', 1],
      ['job="mail"', 0],
    ]),
  );
  expect((await valuesOf('clipswap_job_last_success_timestamp_seconds')).get('job="deadlines"')).toBe(
    at.getTime() / 1_000,
  );
  expect(await valuesOf('clipswap_mail_outbox')).toEqual(
    new Map([
      ['state="waiting"', 1],
      ['state="failed"', 1],
    ]),
  );
  expect((await valuesOf('clipswap_webhooks')).size).toBe(4);
  const matters = await valuesOf('clipswap_payment_matters');
  expect(matters.get('kind="event"')).toBe(1);
  expect(matters.get('kind="dispute"')).toBe(0);
  expect(await valuesOf('clipswap_live_lines')).toEqual(new Map([['', 1]]));
  const used = async (name: string) =>
    [...(await valuesOf(name))].filter(([, value]) => value === 1).map(([label]) => label);
  expect(await used('clipswap_live_transport')).toEqual(['transport="database"']);
  expect(await used('clipswap_limits_store')).toEqual(['store="none"']);
  await line.return();
  expect(await valuesOf('clipswap_live_lines')).toEqual(new Map([['', 0]]));
  expect((await valuesOf('nodejs_eventloop_lag_p99_seconds')).size).toBe(1);
});

it('a process without its database still tells how it fares', async () => {
  const gone = await createTestDatabase();
  const lonely = await createMetrics({ ...watched, db: gone.db, pool: gone.pool });
  await gone.close();
  expect(await valuesOf('clipswap_database_up', lonely)).toEqual(new Map([['', 0]]));
  expect((await valuesOf('clipswap_job_ok', lonely)).size).toBe(0);
  await lonely.close();
});

it('a port of its own serves /metrics and nothing else', async () => {
  const own = await createMetrics(watched);
  const port = await own.listen('127.0.0.1', 0);
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(await answer.text()).toContain('clipswap_database_up 1');
  expect((await fetch(`http://127.0.0.1:${port}/api/coupons`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
  expect((await test.call(null, { method: 'GET', url: '/metrics' })).body).not.toContain(
    'clipswap_database_up',
  );
  await own.close();
});

it('the dashboard and the alarms ask for metrics that exist', async () => {
  const known = new Set([...(await metrics.read()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const asked = ['grafana-dashboard.json', 'operations.md'].flatMap((file) => {
    const text = readFileSync(path.resolve(import.meta.dirname, '../../docs', file), 'utf8');
    return text.match(/\b(?:clipswap|nodejs|process)_\w+/g) ?? [];
  });
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !known.has(name.replace(/_(?:bucket|count)$/, '')))).toEqual([]);
});
