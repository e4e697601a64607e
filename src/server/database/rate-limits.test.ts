import { Pool } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { createRateLimiter } from './rate-limits.ts';

const log = createLogger({ logLevel: 'silent', isProduction: true });

const database = setUpDatabase();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const THREE: RateLimit = { name: 'three', points: 3, seconds: 600 };

async function consumeTimes(times: number, limit: RateLimit, key: string): Promise<number[]> {
  const limiter = createRateLimiter(database.pool, log);
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

  it('counts each key and each limit separately', async () => {
    await consumeTimes(4, THREE, 'b');
    expect(await consumeTimes(1, THREE, 'c')).toEqual([0]);
    expect(await consumeTimes(1, { ...THREE, name: 'other' }, 'b')).toEqual([0]);
  });

  it('is exact for many simultaneous calls from two processes', async () => {
    const limit: RateLimit = { name: 'crowd', points: 20, seconds: 600 };
    const limiters = [createRateLimiter(database.pool, log), createRateLimiter(database.pool, log)];
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
    await createRateLimiter(database.pool, log).reset(THREE, 'f');
    expect(await consumeTimes(1, THREE, 'f')).toEqual([0]);
  });

  it('accepts keys of any length and stores no name or address', async () => {
    await consumeTimes(1, THREE, `somebody@example.org${'x'.repeat(1_000)}`);
    const rows = await database.db.selectFrom('rateLimits').select('key').execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).not.toContain('somebody');
  });

  it('enforceLimit refuses with the seconds until the next try', async () => {
    const limiter = createRateLimiter(database.pool, log);
    const once: RateLimit = { name: 'once', points: 1, seconds: 90 };
    await enforceLimit(limiter, once, 'g');
    await expect(enforceLimit(limiter, once, 'g')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: expect.any(Number),
      message: 'Too many tries. Please try again in 2 minutes.',
    });
  });
});

describe('without a database', () => {
  it('lets nobody through', async () => {
    const pool = new Pool({ host: '127.0.0.1', port: 1 });
    const limiter = createRateLimiter(pool, log);
    await expect(limiter.consume(THREE, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(limiter.reset(THREE, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    await pool.end();
  });

  it('gives up on a database that does not answer', async () => {
    vi.useFakeTimers();
    vi.spyOn(database.pool, 'query').mockImplementation(() => new Promise(() => {}));
    const answer = createRateLimiter(database.pool, log).consume(THREE, 'h');
    const refused = expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    await vi.advanceTimersByTimeAsync(3_000);
    await refused;
  });
});
