import type { Pool } from 'pg';
import { RateLimiterPostgres, type RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { sha256 } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import type { Logger } from '#server/core/log.ts';
import type { RateLimit, RateLimiter } from '#server/core/rate-limit.ts';

/** A database that does not answer must not hold a caller up for longer. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Counts in the table `rate_limits`, so that a limit holds over all processes. Keys are stored hashed: they are
 * addresses and names of people. When the database fails, so does the call (AppError unavailable): a limit that
 * cannot be counted lets nobody through. What has run out is swept up by the library every five minutes; its
 * timer does not keep the process alive.
 */
export function createRateLimiter(pool: Pool, log: Logger): RateLimiter {
  const table = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    // A migration has made it: the program needs no right to change the schema.
    tableCreated: true,
    keyPrefix: '',
    // Every limit brings its own at the call.
    points: 0,
    duration: 0,
  });
  const counts = new RLWrapperTimeouts({ limiter: table, timeoutMs: ANSWER_WITHIN_MS });
  const keyOf = (limit: RateLimit, key: string) => `${limit.name}:${sha256(key)}`;

  async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      log.warn({ err: error }, 'rate limits cannot be counted');
      throw new AppError(
        'unavailable',
        'ClipSwap is not available right now. Please try again in a moment.',
        {
          cause: error,
        },
      );
    }
  }

  return {
    async consume(limit, key) {
      // A penalty is a count without the library's own verdict, which knows one limit only.
      const count = await orUnavailable(
        counts.penalty(keyOf(limit, key), 1, { customDuration: limit.seconds }),
      );
      if (count.consumedPoints <= limit.points) return 0;
      return secondsLeft(count);
    },
    async waitFor(limit, key) {
      const count = await orUnavailable(counts.get(keyOf(limit, key)));
      return count && count.consumedPoints >= limit.points ? secondsLeft(count) : 0;
    },
    async reset(limit, key) {
      await orUnavailable(counts.delete(keyOf(limit, key)));
    },
  };
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
