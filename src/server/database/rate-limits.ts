import { sql } from 'kysely';
import { sha256 } from '#server/core/crypto.ts';
import type { RateLimit, RateLimiter } from '#server/core/rate-limit.ts';
import type { Database } from './client.ts';
import type { ConnectionPool } from './connections.ts';

/** By the database's clock, which all processes share; in milliseconds, as in the column `expire`. */
const NOW = '(extract(epoch from now()) * 1000)::bigint';

/** Named, so that each connection plans them once: many calls of people begin with them. */
const COUNT = {
  name: 'limits-count',
  text: `
    insert into rate_limits as held (key, points, expire) values ($1, 1, ${NOW} + $2::bigint)
    on conflict (key) do update set
      points = case when held.expire > ${NOW} then held.points + 1 else 1 end,
      expire = case when held.expire > ${NOW} then held.expire else excluded.expire end
    returning points, expire - ${NOW} as "leftMs"`,
};
const READ = {
  name: 'limits-read',
  text: `select points, expire - ${NOW} as "leftMs" from rate_limits where key = $1 and expire > ${NOW}`,
};
const FORGET = { name: 'limits-forget', text: 'delete from rate_limits where key = $1' };

interface Count {
  readonly points: number;
  readonly leftMs: number;
}

/**
 * Counts in the table `rate_limits`, so that limits hold over all processes. Keys are hashed, because they contain
 * addresses and names. If the database fails, the call fails (AppError unavailable): without a count nobody gets through.
 */
export function createRateLimiter(pool: Pick<ConnectionPool, 'query'>): RateLimiter {
  const keyOf = (limit: RateLimit, key: string) => `${limit.name}:${sha256(key)}`;

  return {
    async consume(limit, key) {
      const { rows } = await pool.query<Count>(COUNT, [keyOf(limit, key), limit.seconds * 1_000]);
      return secondsLeft(rows[0], limit.points + 1);
    },
    async waitFor(limit, key) {
      const { rows } = await pool.query<Count>(READ, [keyOf(limit, key)]);
      return secondsLeft(rows[0], limit.points);
    },
    async reset(limit, key) {
      await pool.query(FORGET, [keyOf(limit, key)]);
    },
  };
}

/** 0 below that many points. */
function secondsLeft(count: Count | undefined, points: number): number {
  return count && count.points >= points ? Math.max(1, Math.ceil(count.leftMs / 1_000)) : 0;
}

export async function removeExpiredLimits({ db }: { readonly db: Database }): Promise<void> {
  await db
    .deleteFrom('rateLimits')
    .where(sql<boolean>`expire <= ${sql.raw(NOW)}`)
    .execute();
}
