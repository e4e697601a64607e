import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveEvents, LiveSignal } from '#server/core/live.ts';
import { createLogger } from '#server/core/log.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { inTransaction } from './client.ts';
import { announce, openLiveEvents } from './live.ts';
import { runStatement } from './temporary.ts';

const log = createLogger({ logLevel: 'silent', isProduction: true });
const MESSAGE: LiveSignal['event'] = { kind: 'message', dealType: 'exchange', dealId: 7 };
const NOTIFICATION: LiveSignal['event'] = { kind: 'notification' };

const database = setUpDatabase();
/** As two server processes have it: a line each, over one database. */
let here: LiveEvents;
let there: LiveEvents;
beforeAll(() => {
  here = openLiveEvents({ url: database.url, log });
  there = openLiveEvents({ url: database.url, log });
});
afterAll(async () => {
  await here.close();
  await there.close();
});

/** Follows until closed; `next()` is what comes next. */
function follow(line: LiveEvents, userId: number) {
  const ending = new AbortController();
  const events = line.follow(userId, ending.signal);
  return {
    async next() {
      return (await events.next()).value;
    },
    end: () => ending.abort(),
  };
}

describe('the live line', () => {
  it('begins with a resync, since what came before is not told', async () => {
    await announce(database.db, [{ userId: 1, event: NOTIFICATION }]);
    const mine = follow(here, 1);
    expect(await mine.next()).toEqual({ kind: 'resync' });
    mine.end();
  });

  it('tells every window of a person, on either process, and nobody else', async () => {
    const windows = [follow(here, 1), follow(here, 1), follow(there, 1)];
    const stranger = follow(there, 2);
    for (const window of [...windows, stranger]) await window.next();
    await announce(database.db, [{ userId: 1, event: MESSAGE }]);
    for (const window of windows) expect(await window.next()).toEqual(MESSAGE);
    await announce(database.db, [{ userId: 2, event: NOTIFICATION }]);
    expect(await stranger.next()).toEqual(NOTIFICATION);
    for (const window of [...windows, stranger]) window.end();
  });

  it('tells at the commit, and nothing of what was rolled back', async () => {
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
      // Long enough for a signal that does not wait.
      await sleep(50);
      expect(heard).toBe('nothing');
    });
    await next;
    expect(heard).toEqual(NOTIFICATION);
    mine.end();
  });

  it('comes back when its connection is cut, and says that something may have been missed', async () => {
    const mine = follow(here, 4);
    await mine.next();
    await runStatement(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'clipswap live' and datname = current_database()`,
    );
    expect(await mine.next()).toEqual({ kind: 'resync' });
    await announce(database.db, [{ userId: 4, event: MESSAGE }]);
    expect(await mine.next()).toEqual(MESSAGE);
    mine.end();
  });

  it('has a follower who does not keep up read everything anew instead', async () => {
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

  it('ends when the browser goes, and when the program stops', async () => {
    const line = openLiveEvents({ url: database.url, log });
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
