import type { Logger } from '#server/core/log.ts';
import { type RateLimiter, rateLimitKey, secondsLeft, toLimitCount } from '#server/core/rate-limit.ts';
import type { Client, Redis } from './connection.ts';

/** By the server's clock. Whoever finds a count without an end gives it one. */
const COUNT = `
  local points = redis.call('incr', KEYS[1])
  if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return { points, redis.call('pttl', KEYS[1]) }`;
const READ = `return { tonumber(redis.call('get', KEYS[1]) or 0), redis.call('pttl', KEYS[1]) }`;

/**
 * Counts in Redis, and in `fallback` what Redis does not count: while it is away, silent or full. Each of the two lets
 * through what a limit allows, so together at most twice as much, and again what is allowed when Redis starts empty.
 */
export function createRedisLimiter(options: {
  readonly redis: Redis;
  readonly prefix: string;
  readonly fallback: RateLimiter;
  readonly log: Logger;
}): RateLimiter {
  const { redis, prefix, fallback, log } = options;
  let isFailing = false;

  async function either<Result>(
    inRedis: (client: Client) => Promise<Result>,
    otherwise: () => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await redis.ask(inRedis);
      if (isFailing) log.info('limits are counted in Redis again');
      isFailing = false;
      return result;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'limits are counted in the database');
      isFailing = true;
      return otherwise();
    }
  }

  async function run(client: Client, script: string, key: string, values: string[]) {
    const [points, leftMs] = (await client.eval(script, { keys: [key], arguments: values })) as number[];
    if (points === undefined || leftMs === undefined) throw new Error('Redis has answered without a count');
    return { points, leftMs };
  }

  const keyOf = (...named: Parameters<typeof rateLimitKey>) => `${prefix}limit:${rateLimitKey(...named)}`;

  const spend: RateLimiter['spend'] = (limit, key) =>
    either(
      async (client) => {
        const count = await run(client, COUNT, keyOf(limit, key), [String(limit.seconds * 1_000)]);
        return toLimitCount(count, limit, limit.points + 1);
      },
      () => fallback.spend(limit, key),
    );

  return {
    consume: async (limit, key) => (await spend(limit, key)).wait,
    spend,
    waitFor: (limit, key) =>
      either(
        async (client) => secondsLeft(await run(client, READ, keyOf(limit, key), []), limit.points),
        () => fallback.waitFor(limit, key),
      ),
    countOf: (limit, key) =>
      either(
        async (client) => toLimitCount(await run(client, READ, keyOf(limit, key), []), limit, limit.points),
        () => fallback.countOf(limit, key),
      ),
    async reset(limit, key) {
      await either(
        async (client) => void (await client.del(keyOf(limit, key))),
        () => fallback.reset(limit, key),
      );
    },
    store: () => (isFailing || !redis.isUp() ? fallback.store() : 'redis'),
  };
}
