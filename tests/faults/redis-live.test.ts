import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { LiveSignal } from '#server/core/live.ts';
import type { RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { openFaultProxy, through } from './proxy.ts';
import { ask, HASTY, setUpRedis, watchedLog } from './redis-world.ts';

const NOTIFICATION: LiveSignal['event'] = { kind: 'notification' };
const MATCH: LiveSignal['event'] = { kind: 'match' };
const RESYNC = { kind: 'resync' };

const world = setUpRedis();

/** Collects what the database itself announces. */
async function listenToDatabase(): Promise<{ readonly heard: string[]; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: world.database.url });
  await client.connect();
  const heard: string[] = [];
  client.on('notification', ({ payload = '' }) => void heard.push(payload));
  await client.query('listen clipswap_live');
  return { heard, end: () => client.end() };
}

describe('live events over Redis', () => {
  it('reach browsers of both processes, and those of no other installation', async () => {
    const [here, there, other] = [
      await world.start(),
      await world.start(),
      await world.start({ prefix: 'other:' }),
    ];
    const lines = [here.follow(1), there.follow(1), there.follow(2), other.follow(1)];
    for (const line of lines) expect(await line.next()).toEqual(RESYNC);
    expect([here, there].map(({ live }) => live.transport())).toEqual(['redis', 'redis']);
    const fromDatabase = await listenToDatabase();
    await announce(here.db, [{ userId: 1, event: NOTIFICATION }]);
    expect([await lines[0]?.next(), await lines[1]?.next()]).toEqual([NOTIFICATION, NOTIFICATION]);
    await announce(there.db, [{ userId: 2, event: MATCH }]);
    expect(await lines[2]?.next()).toEqual(MATCH);
    await announce(other.db, [{ userId: 1, event: MATCH }]);
    expect(await lines[3]?.next()).toEqual(MATCH);
    // A commit of the database without a lock for NOTIFY.
    expect(fromDatabase.heard).toEqual([]);
    await fromDatabase.end();
  });

  it('are sent after the commit, once each, and not after a rollback', async () => {
    const here = await world.start();
    const mine = here.follow(3);
    await mine.next();
    const heard: unknown[] = [];
    await ask(here, (client) => client.subscribe('clipswap:live', (text) => heard.push(text)));
    const announcing = (event: LiveSignal['event'], then: (trx: Trx) => Promise<unknown>) =>
      inTransaction(here.db, async (trx) => {
        await announce(trx, [{ userId: 3, event }]);
        await announce(trx, [{ userId: 3, event }]);
        await then(trx);
      });
    const fail = async () => {
      throw new Error('rolled back');
    };
    await expect(announcing(MATCH, fail)).rejects.toThrow('rolled back');
    await announcing(NOTIFICATION, async () => {
      // Whatever was sent comes back before the answer to this.
      await ask(here, (client) => client.ping());
      expect(heard).toEqual([]);
    });
    expect(await mine.next()).toEqual(NOTIFICATION);
    await ask(here, (client) => client.ping());
    expect(heard).toEqual(['{"userIds":[3],"event":{"kind":"notification"}}']);
  });

  it('are sent when the answer to the commit is lost', async () => {
    const toDatabase = await openFaultProxy({ port: Number(new URL(world.database.url).port) });
    const here = await world.start({ databaseUrl: through(toDatabase, world.database.url) });
    const there = await world.start();
    const line = there.follow(4);
    await line.next();
    await toDatabase.set('lose-commit');
    const acting = inTransaction(here.db, (trx) => announce(trx, [{ userId: 4, event: MATCH }]));
    await expect(acting).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(await line.next()).toEqual(MATCH);
    await here.close();
    await toDatabase.close();
  });

  it('that nobody here knows are a resync for everybody', async () => {
    const here = await world.start();
    const lines = [here.follow(5), here.follow(6)];
    for (const line of lines) await line.next();
    for (const text of ['{"userIds":[5],"event":{"kind":"of a later release"}}', 'of somebody else', '']) {
      await ask(here, (client) => client.publish('clipswap:live', text));
      for (const line of lines) expect(await line.next()).toEqual(RESYNC);
    }
  });

  it('go through the database while Redis is away, where browsers poll; they look again when it is back', async () => {
    const { log, said } = watchedLog();
    const [here, there] = [await world.start({ log }), await world.start()];
    const lines = [here.follow(7), there.follow(7)];
    for (const line of lines) await line.next();
    await world.valkey.kill();
    for (const line of lines) expect(await line.next()).toEqual({ kind: 'polling' });
    expect(here.live.transport()).toBe('polling');
    await announce(here.db, [{ userId: 7, event: MATCH }]);
    for (const line of lines) expect(await line.next()).toEqual(MATCH);
    await world.valkey.start();
    for (const line of lines) expect(await line.next()).toEqual(RESYNC);
    expect(here.live.transport()).toBe('redis');
    await announce(here.db, [{ userId: 7, event: NOTIFICATION }]);
    for (const line of lines) expect(await line.next()).toEqual(NOTIFICATION);
    expect(said()[0]).toMatch(/^Redis cannot be used: .*Socket closed/);
    // It says each reason once.
    expect(said()).toEqual([...new Set(said())]);
  });

  it('go through the database when Redis hangs, and no act waits for it', async () => {
    const [here, there] = [await world.start(HASTY), await world.start(HASTY)];
    const lines = [here.follow(8), there.follow(8)];
    for (const line of lines) await line.next();
    world.valkey.hang();
    await announce(here.db, [{ userId: 8, event: MATCH }]);
    for (const line of lines) {
      // Which of the two is noticed first depends on when the connection was last checked.
      const told = [await line.next(), await line.next()];
      expect(told).toEqual(expect.arrayContaining([{ kind: 'polling' }, MATCH]));
    }
    world.valkey.goOn();
    for (const line of lines) await expect.poll(line.next).toEqual(RESYNC);
  });

  it('of a process that died before it sent them are made up for by a resync; one that ends well leaves none', async () => {
    const here = await world.start({ pulseMs: HASTY.pulseMs });
    const line = here.follow(9);
    await line.next();
    const members = () => ask(here, (client) => client.zRange('clipswap:processes', 0, -1));
    const [self] = await members();
    const leaving = await world.start();
    expect(await members()).toHaveLength(2);
    await leaving.close();
    expect(await members()).toEqual([self]);
    const dying = await world.start({ url: through(world.proxy, world.valkey.url) });
    await world.proxy.set('cut');
    const longAgo = (await members()).map((value) => ({ value, score: 1 }));
    await ask(here, (client) => client.zAdd('clipswap:processes', longAgo));
    expect(await line.next()).toEqual(RESYNC);
    expect(await members()).toEqual([self]);
    await announce(here.db, [{ userId: 9, event: MATCH }]);
    expect(await line.next()).toEqual(MATCH);
    await world.proxy.set('none');
    await expect.poll(dying.live.transport).toBe('redis');
  });
});

it('needs no more rights than operations.md says; with a wrong password, the database does the work and the log says why', async () => {
  const admin = await world.start();
  const manual = readFileSync(path.join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const rights =
    /A user of Redis \(ACL\) needs (.*)\./.exec(manual)?.[1]?.match(/[^\s`]*[~&+][^\s`]*/g) ?? [];
  const setUser = ['ACL', 'SETUSER', 'clipswap', 'on', '>right', ...rights];
  await ask(admin, (client) => client.sendCommand(setUser));
  const once: RateLimit = { name: 'once', points: 1, seconds: 60 };
  const as = (password: string) => `redis://clipswap:${password}@127.0.0.1:${world.valkey.port}`;
  const { log, said } = watchedLog();
  const here = await world.start({ url: as('right'), log });
  const line = here.follow(10);
  await line.next();
  await announce(here.db, [{ userId: 10, event: MATCH }]);
  expect(await line.next()).toEqual(MATCH);
  expect(await here.limiter.consume(once, 'key')).toBe(0);
  expect(await here.limiter.waitFor(once, 'key')).toBeGreaterThan(0);
  await here.limiter.reset(once, 'key');
  expect([here.live.transport(), here.limiter.store()]).toEqual(['redis', 'redis']);
  expect(said()).toEqual([]);

  const there = await world.start({ url: as('mistyped'), log });
  expect([there.live.transport(), there.limiter.store()]).toEqual(['polling', 'database']);
  expect(await there.limiter.consume(once, 'key')).toBe(0);
  expect(said()[0]).toMatch(/^Redis cannot be used: .*WRONGPASS/);
  expect(said().join()).not.toContain('mistyped');
});
