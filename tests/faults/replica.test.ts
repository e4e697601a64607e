import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import type { LiveLine } from '#server/core/live.ts';
import type { Replica } from '#server/core/replica.ts';
import type { Database, DatabaseHandle } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { openReplica } from '#server/database/replica.ts';
import { withRequestBudget } from '#server/database/time-budget.ts';
import { appRouter } from '#server/router.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { connectTo } from '#tests/support/database.ts';
import { HANGS_MS, WAIT_MS } from '#tests/support/patience.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { openPooler } from './pooler.ts';
import { type StreamingPair, startStreamingPair } from './streaming.ts';

const LIMITS = {
  connectionTimeoutMillis: HANGS_MS,
  statement_timeout: HANGS_MS,
  lock_timeout: HANGS_MS,
  idle_in_transaction_session_timeout: HANGS_MS,
};
const EVERY_MS = 25;

let pair: StreamingPair;
let database: DatabaseHandle & { readonly url: string };
let test: TestApp;
let opened: Replica<Database>[] = [];
const told: string[] = [];

beforeAll(async () => {
  pair = await startStreamingPair();
  database = { ...connectTo(pair.primary, 10), url: pair.primary.url };
  test = await createTestApp({
    database,
    replica: (primary) => open({ primary }),
  });
  opened = [];
  await test.deps.replica?.open();
  await vi.waitFor(() => expect(test.deps.replica?.state().isUsed).toBe(true), WAIT_MS);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((replica) => replica.close()));
});
afterAll(async () => {
  await test.close();
  await pair.close();
});

function open(given: Partial<Parameters<typeof openReplica>[0]> = {}): Replica<Database> {
  const note = (line: { reason?: string }, text?: string) =>
    void told.push(line.reason ?? text ?? String(line));
  const replica = openReplica({
    url: pair.replica.url,
    poolSize: 5,
    primary: database,
    maxLagMs: HANGS_MS,
    everyMs: EVERY_MS,
    limits: LIMITS,
    ...given,
    log: { ...test?.ctx.log, warn: note, info: note } as unknown as TestApp['ctx']['log'],
  });
  opened.push(replica);
  return replica;
}

/** Whether a statement is answered by a replica. */
async function isFromReplica(db: Database): Promise<boolean | undefined> {
  const { rows } = await sql<{ answer: boolean }>`select pg_is_in_recovery() as answer`.execute(db);
  return rows[0]?.answer;
}
const pause = () => pair.replica.ask('select pg_wal_replay_pause()');
const resume = () => pair.replica.ask('select pg_wal_replay_resume()');
const visit = (id: number, headers: Record<string, string> = {}) =>
  test.call(null, { method: 'GET', url: `/api/coupons/${id}`, headers });
const statusFor = async (id: number, headers?: Record<string, string>) =>
  (await visit(id, headers)).statusCode;

it('only public lists and pages are read from a replica', () => {
  const procedures = Object.entries(appRouter._def.procedures) as unknown as [
    string,
    { _def: { type: string; meta?: { fromReplica?: boolean } } },
  ][];
  const read = procedures.filter(([, { _def }]) => _def.meta?.fromReplica);
  expect(read.map(([name, { _def }]) => `${_def.type} ${name}`).toSorted()).toEqual(
    ['bids.priceHint', 'coupons.byId', 'coupons.feedback', 'coupons.list', 'coupons.ofMerchant']
      .concat('coupons.related', 'coupons.viewed')
      .concat('discover.list', 'discover.offers')
      .concat('health.ofCoupon', 'health.ofMerchant')
      .concat(
        'leaderboard.list',
        'leaderboard.mine',
        'matches.market',
        'merchants.byName',
        'profiles.byId',
        'profiles.ofCouponOwner',
        'proofs.openBooks',
        'proofs.roots',
        'ratings.ofUser',
      )
      .concat('search.count', 'search.help', 'search.merchants')
      .concat('seo.card', 'seo.couponUrls', 'seo.merchantKeys', 'seo.parts')
      .map((name) => `query ${name}`),
  );
});

describe('a replica that is behind', () => {
  let owner: Actor;
  beforeAll(async () => {
    owner = await createUser(test.ctx);
  });
  afterEach(resume);

  /** What a line says next, but to look at everything again, which may come at any time. */
  async function afterResyncs(line: LiveLine) {
    for await (const event of line) if (event.kind !== 'resync') return event;
    return undefined;
  }

  it('answers visitors; who has written reads the primary until the replica has the write', async () => {
    const coupon = await createCoupon(test.ctx, owner);
    await expect.poll(() => statusFor(coupon.id)).toBe(200);
    await pause();
    const removed = await test.call(owner, { method: 'DELETE', url: `/api/coupons/${coupon.id}` });
    const [cookie] = removed.cookies.filter(({ name }) => name === 'clipswap-written');
    expect(cookie).toMatchObject({
      value: /^\d+$/.exec(cookie?.value ?? '')?.[0],
      httpOnly: true,
      maxAge: 60,
    });
    const asWriter = { cookie: `clipswap-written=${cookie?.value}` };
    expect(await statusFor(coupon.id)).toBe(200);
    expect(await statusFor(coupon.id, asWriter)).toBe(404);
    // What is no position is none.
    for (const value of ['', 'x', '-1', '1e9', '9'.repeat(17), '%00'])
      expect(await statusFor(coupon.id, { cookie: `clipswap-written=${value}` })).toBe(200);
    await resume();
    await expect.poll(() => statusFor(coupon.id)).toBe(404);
    const { replica } = test.deps;
    await expect.poll(() => replica?.readsFor(Number(cookie?.value)) === replica?.readsFor(null)).toBe(true);
  });

  it('has what a live event is about when the event is passed on', async () => {
    const line = test.deps.live.follow({ userId: owner.id, ip: '192.0.2.1' });
    expect((await line.next()).value).toEqual({ kind: 'resync' });
    await pause();
    const { id } = await createCoupon(test.ctx, owner);
    const next = afterResyncs(line);
    await announce(database.db, [{ userId: owner.id, event: { kind: 'notification' } }]);
    expect(await statusFor(id)).toBe(404);
    await resume();
    expect(await next).toEqual({ kind: 'notification' });
    expect(await statusFor(id)).toBe(200);
    await line.return();
  });

  it('is left out when it is too far behind, and taken back when it has caught up', async () => {
    const replica = open({ maxLagMs: 200 });
    await replica.open();
    await expect.poll(() => isFromReplica(replica.readsFor(null))).toBe(true);
    await pause();
    await createCoupon(test.ctx, owner);
    await expect.poll(() => replica.state().isUsed).toBe(false);
    expect(replica.state().lagSeconds).toBeGreaterThan(0.2);
    expect(told).toContain('it is too far behind');
    expect(await isFromReplica(replica.readsFor(null))).toBe(false);
    await resume();
    await expect.poll(() => isFromReplica(replica.readsFor(null))).toBe(true);
  });

  it('does not have a new column yet: the primary answers', async () => {
    await pause();
    await database.pool.query('alter table users add column added_later int');
    const reads = test.deps.replica?.readsFor(null) as Database;
    await sql`select added_later from users`.execute(reads);
    expect(await isFromReplica(reads)).toBe(true);
  });
});

describe('a replica that fails', () => {
  it('has to cancel a read to keep up: the primary answers, and the replica stays in use', async () => {
    const reads = test.deps.replica?.readsFor(null) as Database;
    const before = test.deps.replica?.state().failedReads ?? 0;
    const slow = sql<{ from: string }>`select case when pg_is_in_recovery()
      then (select 'replica' from pg_sleep(3600), (select count(*) from coupons) as held) else 'primary' end as from`;
    const asked = slow.execute(reads);
    const isAtWork = `select 1 from pg_stat_activity where query like '%pg_sleep(3600)%' and wait_event = 'PgSleep'`;
    await expect.poll(() => pair.replica.ask(isAtWork)).toHaveLength(1);
    await database.pool.query('begin; lock table coupons in access exclusive mode; commit');
    expect((await asked).rows).toEqual([{ from: 'primary' }]);
    expect(test.deps.replica?.state()).toMatchObject({ isUsed: true, failedReads: before + 1 });
  });

  it('is not blamed when a request has used up its time elsewhere', async () => {
    const replica = open({ maxLagMs: Number.POSITIVE_INFINITY });
    await replica.open();
    await expect.poll(() => replica.state().isUsed).toBe(true);
    const now = performance.now.bind(performance);
    let later = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    onTestFinished(() => void vi.restoreAllMocks());
    await withRequestBudget(async () => {
      const asked = database.pool.query('select 1');
      later = 2 * HANGS_MS;
      await asked.catch(() => {});
      expect(await isFromReplica(replica.readsFor(null))).toBe(true);
    });
    expect(replica.state()).toMatchObject({ isUsed: true, failedReads: 0 });
  });

  it('takes no transactions', async () => {
    const begun = test.deps.replica
      ?.readsFor(null)
      .transaction()
      .execute(async () => {});
    await expect(begun).rejects.toThrow('without transactions');
  });

  it('breaks off and comes back: nobody notices, and /readyz says what is read', async () => {
    const { id } = await createCoupon(test.ctx, await createUser(test.ctx));
    const readyz = async () => (await test.call(null, { method: 'GET', url: '/readyz' })).json();
    await expect.poll(() => statusFor(id)).toBe(200);
    for (const hard of shortOrLong(
      [true],
      Array.from({ length: 10 }, (_, round) => round % 2 === 0),
    )) {
      let isOver = false;
      const statuses = new Set<number>();
      const visits = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          statuses.add(await statusFor(id));
          await sleep(5);
        }
      });
      await pair.replica.stop(hard);
      await expect.poll(readyz).toMatchObject({ status: 'ready', replica: 'left out' });
      await pair.replica.start();
      await expect.poll(readyz).not.toHaveProperty('replica');
      isOver = true;
      await Promise.all(visits);
      expect([...statuses]).toEqual([200]);
    }
  });

  it('cannot be used: the primary answers, and the log says why', async () => {
    const wrong = new URL(pair.replica.url);
    wrong.password = 'wrong';
    const nowhere = new URL(pair.replica.url);
    nowhere.port = '1';
    const reasons: [string, RegExp][] = [
      [wrong.href, /password authentication failed/],
      [nowhere.href, /ECONNREFUSED/],
      [pair.primary.url, /it is no replica/],
      [inject('templateUrl'), /it is a copy of another database/],
    ];
    for (const [url, reason] of reasons) {
      const replica = open({ url });
      await replica.open();
      expect(told.at(-1)).toMatch(reason);
      expect(await isFromReplica(replica.readsFor(null))).toBe(false);
      await replica.caughtUp();
    }
  });

  it('is used behind a pooler, too', async () => {
    const pooler = await openPooler(pair.replica.url);
    onTestFinished(() => pooler.close());
    const replica = open({ url: pooler.url });
    await replica.open();
    await expect.poll(() => isFromReplica(replica.readsFor(null))).toBe(true);
  });

  it('becomes a primary of its own: it is left out', async () => {
    await pair.replica.ask('select pg_promote()');
    await expect.poll(() => test.deps.replica?.state().isUsed).toBe(false);
    await expect.poll(() => told).toContain('it is no replica');
    expect(await isFromReplica(test.deps.replica?.readsFor(null) as Database)).toBe(false);
  });
});
