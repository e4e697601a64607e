import { afterEach, describe, expect, it, vi } from 'vitest';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { createDatabase } from './client.ts';
import { createRateLimiter, removeExpiredLimits } from './rate-limits.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });

afterEach(() => vi.useRealTimers());

const THREE: RateLimit = { name: 'three', points: 3, seconds: 600 };

async function consumeTimes(times: number, limit: RateLimit, key: string): Promise<number[]> {
  const limiter = createRateLimiter(database.pool);
  const waits: number[] = [];
  for (let round = 0; round < times; round += 1) waits.push(await limiter.consume(limit, key));
  return waits;
}

describe('counting', () => {
  it('lets through as many as the limit allows, then returns the seconds to wait', async () => {
    const waits = await consumeTimes(5, THREE, 'a');
    expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
    for (const wait of waits.slice(3)) {
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(600);
    }
  });

  it('says what is left, and how long it takes until it counts anew', async () => {
    const limiter = createRateLimiter(database.pool);
    const [read, spend] = [() => limiter.countOf(THREE, 'told'), () => limiter.spend(THREE, 'told')];
    expect(await read()).toEqual({ wait: 0, left: 3, resets: 0 });
    const resets = expect.toSatisfy((seconds: number) => seconds > 590 && seconds <= 600);
    for (const left of [2, 1, 0]) expect(await spend()).toEqual({ wait: 0, left, resets });
    expect(await read()).toEqual({ wait: resets, left: 0, resets });
    expect(await spend()).toEqual({ wait: resets, left: 0, resets });
  });

  it('counts each key and each limit separately', async () => {
    await consumeTimes(4, THREE, 'b');
    expect(await consumeTimes(1, THREE, 'c')).toEqual([0]);
    expect(await consumeTimes(1, { ...THREE, name: 'other' }, 'b')).toEqual([0]);
  });

  it('is exact for many simultaneous calls from two processes', async () => {
    const limit: RateLimit = { name: 'crowd', points: 20, seconds: 600 };
    const limiters = [createRateLimiter(database.pool), createRateLimiter(database.pool)];
    const waits = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 25 }, () => limiter.consume(limit, 'd'))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
  });

  it('starts again after the time is over and after a reset', async () => {
    await consumeTimes(4, THREE, 'e');
    await database.db
      .updateTable('rateLimits')
      .set({ expire: Date.now() - 1 })
      .execute();
    expect(await consumeTimes(1, THREE, 'e')).toEqual([0]);

    await consumeTimes(4, THREE, 'f');
    await createRateLimiter(database.pool).reset(THREE, 'f');
    expect(await consumeTimes(1, THREE, 'f')).toEqual([0]);
  });

  it('removes the counts whose time is over, and no others', async () => {
    const listNames = async () => {
      const rows = await database.db.selectFrom('rateLimits').select('key').execute();
      return rows.map(({ key }) => key.split(':')[0]);
    };
    await consumeTimes(1, { ...THREE, name: 'over', seconds: -1 }, 'g');
    await consumeTimes(1, { ...THREE, name: 'lasting' }, 'g');
    expect(await listNames()).toEqual(expect.arrayContaining(['over', 'lasting']));
    await removeExpiredLimits(database);
    const names = await listNames();
    expect(names).toContain('lasting');
    expect(names).not.toContain('over');
  });

  it('accepts keys of any length and stores no name or address', async () => {
    await consumeTimes(1, THREE, `somebody@example.org${'x'.repeat(1_000)}`);
    const rows = await database.db.selectFrom('rateLimits').select('key').execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).not.toContain('somebody');
  });

  it('goes by the clock of the database, also in a process whose own is a year ahead', async () => {
    const setYearAhead = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 86_400_000 });
    await consumeTimes(3, THREE, 'passed before');
    setYearAhead();
    const [afterwards] = await consumeTimes(1, THREE, 'passed before');
    await consumeTimes(3, THREE, 'passed ahead');
    vi.useRealTimers();
    const limiter = createRateLimiter(database.pool);
    const waits = [afterwards, await limiter.waitFor(THREE, 'passed ahead')];
    for (const wait of waits) expect(wait).toBeGreaterThan(0);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(600);
  });

  it('says where it counts', () => {
    expect(createRateLimiter(database.pool).store()).toBe('database');
  });

  it('enforceLimit refuses with the seconds until the next try', async () => {
    const limiter = createRateLimiter(database.pool);
    const once: RateLimit = { name: 'once', points: 1, seconds: 90 };
    await enforceLimit(limiter, once, 'g');
    await expect(enforceLimit(limiter, once, 'g')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: expect.any(Number),
      message: 'Too many attempts. Please try again in 2 minutes.',
    });
  });
});

it('lets nobody through without a database', async () => {
  const nowhere = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1 });
  const limiter = createRateLimiter(nowhere.pool);
  await expect(limiter.consume(THREE, 'a')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(limiter.reset(THREE, 'a')).rejects.toMatchObject({ code: 'unavailable' });
});
