import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_ID } from '#contract/base/bounds.ts';
import { LIVE_LINES, type LiveEvents, type LiveSignal, readSignals } from '#server/core/live.ts';
import { createLogger } from '#server/core/log.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { inTransaction } from './client.ts';
import { announce, openLiveEvents } from './live.ts';
import { runStatement } from './temporary.ts';

const log = createLogger({ logLevel: 'silent', isProduction: true });
const MESSAGE: LiveSignal['event'] = { kind: 'message', dealType: 'exchange', dealId: 7 };
const NOTIFICATION: LiveSignal['event'] = { kind: 'notification' };

const database = setUpDatabase();
/** Two server processes: one connection each to the same database. */
let here: LiveEvents;
let there: LiveEvents;
beforeAll(() => {
  here = openLiveEvents({ url: database.url, db: database.db, log });
  there = openLiveEvents({ url: database.url, db: database.db, log });
});
afterAll(async () => {
  await here.close();
  await there.close();
});

/** Follows until closed; `next()` returns the next event. */
function follow(line: LiveEvents, userId: number) {
  const events = line.follow({ userId, ip: '192.0.2.1' });
  return {
    async next() {
      return (await events.next()).value;
    },
    end: () => void events.return(),
  };
}

function cutLines(): Promise<void> {
  return runStatement(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'clipswap live' and datname = current_database()`,
  );
}

describe('live events', () => {
  it('start with a resync, since earlier events are not repeated', async () => {
    await announce(database.db, [{ userId: 1, event: NOTIFICATION }]);
    const mine = follow(here, 1);
    expect(await mine.next()).toEqual({ kind: 'resync' });
    mine.end();
  });

  it('reach all browsers of a person on both processes, and nobody else', async () => {
    const windows = [follow(here, 1), follow(here, 1), follow(there, 1)];
    const stranger = follow(there, 2);
    for (const window of [...windows, stranger]) await window.next();
    await announce(database.db, [{ userId: 1, event: MESSAGE }]);
    for (const window of windows) expect(await window.next()).toEqual(MESSAGE);
    await announce(database.db, [{ userId: 2, event: NOTIFICATION }]);
    expect(await stranger.next()).toEqual(NOTIFICATION);
    for (const window of [...windows, stranger]) window.end();
  });

  it('are sent at the commit, and not after a rollback', async () => {
    const mine = follow(there, 3);
    await mine.next();
    let heard: unknown = 'nothing';
    const next = mine.next().then((event) => {
      heard = event;
    });
    await inTransaction(database.db, async (trx) => {
      await announce(trx, [{ userId: 3, event: MESSAGE }]);
      throw new Error('rolled back');
    }).catch(() => {});
    await inTransaction(database.db, async (trx) => {
      await announce(trx, [{ userId: 3, event: NOTIFICATION }]);
      // Long enough for a signal sent without waiting for the commit.
      await sleep(50);
      expect(heard).toBe('nothing');
    });
    await next;
    expect(heard).toEqual(NOTIFICATION);
    mine.end();
  });

  it('are one notification for hundreds of people, and one more for another event', async () => {
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    const payloads: string[] = [];
    listener.on('notification', ({ payload = '' }) => void payloads.push(payload));
    await listener.query('listen clipswap_live');
    const signals = Array.from({ length: 1_200 }, (_, at) => ({ userId: MAX_ID - at, event: NOTIFICATION }));
    const other: LiveSignal = { userId: 7, event: MESSAGE };
    await announce(database.db, [...signals, other, ...signals]);
    await expect.poll(() => payloads).toHaveLength(4);
    expect(payloads.flatMap(readSignals)).toEqual([...signals, other]);
    // What NOTIFY takes.
    for (const payload of payloads) expect(payload.length).toBeLessThan(8_000);
    await listener.end();
  });

  it('of another release are a resync for everybody', async () => {
    const [mine, other] = [follow(here, 8), follow(there, 9)];
    await Promise.all([mine.next(), other.next()]);
    for (const payload of ['{"userIds":[8],"event":{"kind":"of a later release"}}', 'no JSON']) {
      await sql`select pg_notify('clipswap_live', ${payload})`.execute(database.db);
      expect([await mine.next(), await other.next()]).toEqual([{ kind: 'resync' }, { kind: 'resync' }]);
    }
    mine.end();
    other.end();
  });

  it('resume with a resync after the connection is cut', async () => {
    const mine = follow(here, 4);
    await mine.next();
    await cutLines();
    expect(await mine.next()).toEqual({ kind: 'resync' });
    await announce(database.db, [{ userId: 4, event: MESSAGE }]);
    expect(await mine.next()).toEqual(MESSAGE);
    mine.end();
  });

  it('warn of a line that is lost, not of one that is closed', async () => {
    const own = createLogger({ logLevel: 'silent', isProduction: true });
    const warn = vi.spyOn(own, 'warn');
    const events = openLiveEvents({ url: database.url, db: database.db, log: own });
    const mine = follow(events, 4);
    await mine.next();
    await cutLines();
    expect(await mine.next()).toEqual({ kind: 'resync' });
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'the live line was lost');
    warn.mockClear();
    await events.close();
    await sql`select 1`.execute(database.db);
    expect(warn).not.toHaveBeenCalled();
  });

  it('give a slow follower a resync in place of its queued events', async () => {
    const slow = follow(here, 5);
    await slow.next();
    const probe = follow(here, 6);
    await probe.next();
    const many = Array.from({ length: 150 }, (_, i) => ({
      userId: 5,
      event: { ...MESSAGE, dealId: i + 1 },
    }));
    await announce(database.db, [...many, { userId: 6, event: NOTIFICATION }]);
    await probe.next();
    expect(await slow.next()).toEqual({ kind: 'resync' });
    slow.end();
    probe.end();
  });

  it('end when the browser leaves and when the program stops', async () => {
    const line = openLiveEvents({ url: database.url, db: database.db, log });
    const gone = follow(line, 1);
    await gone.next();
    gone.end();
    expect(await gone.next()).toBeUndefined();
    const last = follow(line, 1);
    await last.next();
    const waiting = last.next();
    await line.close();
    expect(await waiting).toBeUndefined();
    expect(await follow(line, 1).next()).toBeUndefined();
  });
});

describe('the lines of one address', () => {
  const from = (ip: string, userId: number) => {
    const events = here.follow({ userId, ip });
    return { next: () => events.next(), end: () => void events.return() };
  };

  it('are limited over all of its people, and free again as soon as they end', async () => {
    const before = here.count();
    const lines = Array.from({ length: LIVE_LINES.ofAddress }, (_, at) => from('203.0.113.7', 10_000 + at));
    expect(() => from('203.0.113.7', 20_000)).toThrow('too many windows');
    const elsewhere = from('203.0.113.8', 20_000);
    lines[0]?.end();
    const next = from('203.0.113.7', 20_000);
    expect((await next.next()).value).toEqual({ kind: 'resync' });
    for (const line of [...lines, next, elsewhere]) line.end();
    expect(here.count()).toBe(before);
    from('203.0.113.7', 20_000).end();
  });
});
