import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { sha256 } from '#server/core/crypto.ts';
import type { RateLimit, RateLimiter } from '#server/core/rate-limit.ts';
import type { ConnectionPool } from './connections.ts';

/**
 * Counts in the table `rate_limits`, so that limits hold over all processes. Keys are hashed, because they contain
 * addresses and names. If the database fails, the call fails (AppError unavailable): without a count nobody gets
 * through. The library removes expired rows every five minutes; its timer does not keep the process alive.
 */
export function createRateLimiter(pool: Pick<ConnectionPool, 'query'>): RateLimiter {
  const counts = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    // A migration creates it: the program needs no right to change the schema.
    tableCreated: true,
    keyPrefix: '',
    // Each call passes its own limit.
    points: 0,
    duration: 0,
  });
  const keyOf = (limit: RateLimit, key: string) => `${limit.name}:${sha256(key)}`;

  return {
    async consume(limit, key) {
      // `penalty` counts without the library's own check, which knows only one limit.
      const count = await counts.penalty(keyOf(limit, key), 1, { customDuration: limit.seconds });
      if (count.consumedPoints <= limit.points) return 0;
      return secondsLeft(count);
    },
    async waitFor(limit, key) {
      const count = await counts.get(keyOf(limit, key));
      return count && count.consumedPoints >= limit.points ? secondsLeft(count) : 0;
    },
    async reset(limit, key) {
      await counts.delete(keyOf(limit, key));
    },
  };
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
