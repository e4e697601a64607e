import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { actingAs, createTestContext, createUser, setUpContext } from '#tests/support/builders.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { health, periodOf, recordRun, redact, registerJobs, stateOf } from './job-runs.ts';

const ctx = setUpContext();
let admin: Actor;
beforeAll(async () => {
  admin = await createUser(ctx, { role: 'admin' });
});

const look = () => health(actingAs(ctx, admin));
const JOBS = [
  { name: 'minutely', cron: '* * * * *' },
  { name: 'hourly', cron: '7 * * * *' },
];
const jobNamed = async (name: string) => (await look()).jobs.find((job) => job.name === name);

describe('the health of the jobs', () => {
  it('lists jobs that have never run and drops jobs that no longer exist', async () => {
    await registerJobs(ctx, [...JOBS, { name: 'gone', cron: '* * * * *' }]);
    await Promise.all([registerJobs(ctx, JOBS), registerJobs(ctx, JOBS.toReversed())]);
    expect((await look()).jobs).toEqual(
      JOBS.toReversed().map((job) => ({
        ...job,
        lastStartedAt: null,
        lastSucceededAt: null,
        lastDurationMs: null,
        lastError: null,
        state: 'never',
      })),
    );
  });

  it('reports a successful run, a failed one and a late one', async () => {
    await registerJobs(ctx, JOBS);
    const began = ctx.clock().toISOString();
    await recordRun(ctx, 'minutely', async () => 3);
    expect(await jobNamed('minutely')).toEqual({
      name: 'minutely',
      cron: '* * * * *',
      lastStartedAt: began,
      lastSucceededAt: began,
      lastDurationMs: 3,
      lastError: null,
      state: 'ok',
    });
    const fail = async () => {
      throw new Error('connect to postgres://clip:hunter2@db.example/clipswap failed');
    };
    await expect(recordRun(ctx, 'minutely', fail)).rejects.toThrow('hunter2');
    const failed = await jobNamed('minutely');
    expect(failed).toMatchObject({ state: 'failing', lastSucceededAt: began });
    expect(failed?.lastError).toBe('connect to postgres://db.example/clipswap failed');

    await recordRun(ctx, 'minutely', async () => 3);
    ctx.clock.advanceDays(3 / 1_440);
    expect(await jobNamed('minutely')).toMatchObject({ state: 'late', lastError: null });
  });

  it('does not affect the job: it runs even if the run cannot be recorded', async () => {
    const gone = await createTestDatabase();
    const broken = createTestContext(gone);
    await gone.close();
    let hasRun = false;
    await recordRun(broken, 'minutely', async () => {
      hasRun = true;
      return null;
    });
    expect(hasRun).toBe(true);
  });

  it.each([
    ['* * * * *', 60],
    ['*/10 * * * *', 600],
    ['23 * * * *', 3_600],
    ['5 3 * * *', 86_400],
    ['0 0 * * 1', 604_800],
  ])('the pattern %s means a run every %i seconds', (cron, seconds) => {
    expect(periodOf(cron)).toBe(seconds);
    const now = ctx.clock();
    const ago = (factor: number) => new Date(now.getTime() - factor * seconds * 1_000);
    const runs = (succeededAt: Date) => ({ cron, startedAt: succeededAt, succeededAt, lastError: null });
    expect(stateOf(runs(ago(1.9)), now)).toBe('ok');
    expect(stateOf(runs(ago(2.1)), now)).toBe('late');
  });

  it.each([
    ['Stripe: Invalid API Key provided: sk_live_51HxAbCdEfGhIjKl', 'Stripe: Invalid API Key provided: …'],
    ['550 <ann@example.org> is unknown', '550 <…> is unknown'],
    ['GET https://feeds.example/list?key=abc&x=1 gave 500', 'GET https://feeds.example/list?… gave 500'],
    ['a\n  b', 'a b'],
  ])('%j is redacted to %j', (message, text) => {
    expect(redact(message)).toBe(text);
  });
});

it('the health of webhooks and mail counts waiting and failed ones', async () => {
  const at = ctx.clock();
  const hour = 3_600_000;
  const event = (eventId: string, given: object = {}) => ({
    provider: 'stripe',
    eventId,
    type: 'charge.succeeded',
    payload: Buffer.from('{}'),
    subject: '{}',
    nextTryAt: at,
    receivedAt: at,
    ...given,
  });
  await ctx.db
    .insertInto('webhookEvents')
    .values([
      event('evt_1', { processedAt: at }),
      event('evt_2', { attempts: 2, lastError: 'No such payment for ann@example.org' }),
      event('evt_3'),
      event('evt_4', { receivedAt: new Date(at.getTime() - 25 * hour), processedAt: at }),
    ])
    .execute();
  const mail = (given: object = {}) => ({
    subject: 'News',
    body: 'News.',
    kind: 'status_changed',
    userId: admin.id,
    createdAt: at,
    nextTryAt: at,
    ...given,
  });
  await ctx.db
    .insertInto('mailOutbox')
    .values([mail(), mail(), mail({ failedAt: at }), mail({ sentAt: at })])
    .execute();
  const { webhooks, mail: counted } = await look();
  expect(webhooks).toEqual([
    {
      provider: 'stripe',
      received24h: 3,
      waiting: 2,
      failing: 1,
      lastReceivedAt: at.toISOString(),
      lastError: 'No such payment for …',
    },
    { provider: 'paypal', received24h: 0, waiting: 0, failing: 0, lastReceivedAt: null, lastError: null },
  ]);
  expect(counted).toEqual({ transport: 'none', waiting: 2, failed: 1, lastSentAt: at.toISOString() });
});
