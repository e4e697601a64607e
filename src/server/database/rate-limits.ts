import type { Pool } from 'pg';
import { RateLimiterPostgres, type RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { sha256 } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import type { Logger } from '#server/core/log.ts';
import type { RateLimit, RateLimiter } from '#server/core/rate-limit.ts';

/** The longest a caller waits for a database that does not answer, in milliseconds. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Counts in the table `rate_limits`, so that limits hold over all processes. Keys are hashed, because they contain
 * addresses and names. If the database fails, the call fails (AppError unavailable): without a count nobody gets
 * through. The library removes expired rows every five minutes; its timer does not keep the process alive.
 */
export function createRateLimiter(pool: Pool, log: Logger): RateLimiter {
  const table = new RateLimiterPostgres({
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
  const counts = new RLWrapperTimeouts({ limiter: table, timeoutMs: ANSWER_WITHIN_MS });
  const keyOf = (limit: RateLimit, key: string) => `${limit.name}:${sha256(key)}`;

  async function unavailableOnFailure<T>(answer: Promise<T>): Promise<T> {
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
      // `penalty` counts without the library's own check, which knows only one limit.
      const count = await unavailableOnFailure(
        counts.penalty(keyOf(limit, key), 1, { customDuration: limit.seconds }),
      );
      if (count.consumedPoints <= limit.points) return 0;
      return secondsLeft(count);
    },
    async waitFor(limit, key) {
      const count = await unavailableOnFailure(counts.get(keyOf(limit, key)));
      return count && count.consumedPoints >= limit.points ? secondsLeft(count) : 0;
    },
    async reset(limit, key) {
      await unavailableOnFailure(counts.delete(keyOf(limit, key)));
    },
  };
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
