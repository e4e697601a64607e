import { sql } from 'kysely';
import { type RateLimiter, rateLimitKey, secondsLeft, toLimitCount } from '#server/core/rate-limit.ts';
import type { Database } from './client.ts';
import type { ConnectionPool } from './connections.ts';

/** The time of the database's clock, which all processes share, in milliseconds as in the column `expire`. */
const NOW = '(extract(epoch from now()) * 1000)::bigint';

/** Many calls begin with these statements. Their names let each connection plan them once. */
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
 * Counts in the table `rate_limits`, so that limits hold over all processes. The calls throw AppError unavailable while
 * the database fails, so that nobody gets through uncounted.
 */
export function createRateLimiter(pool: Pick<ConnectionPool, 'query'>): RateLimiter {
  const spend: RateLimiter['spend'] = async (limit, key) => {
    const { rows } = await pool.query<Count>(COUNT, [rateLimitKey(limit, key), limit.seconds * 1_000]);
    return toLimitCount(rows[0], limit, limit.points + 1);
  };
  return {
    consume: async (limit, key) => (await spend(limit, key)).wait,
    spend,
    async waitFor(limit, key) {
      const { rows } = await pool.query<Count>(READ, [rateLimitKey(limit, key)]);
      return secondsLeft(rows[0], limit.points);
    },
    async countOf(limit, key) {
      const { rows } = await pool.query<Count>(READ, [rateLimitKey(limit, key)]);
      return toLimitCount(rows[0], limit, limit.points);
    },
    async reset(limit, key) {
      await pool.query(FORGET, [rateLimitKey(limit, key)]);
    },
    store: () => 'database',
  };
}

export async function removeExpiredLimits({ db }: { readonly db: Database }): Promise<void> {
  await db
    .deleteFrom('rateLimits')
    .where(sql<boolean>`expire <= ${sql.raw(NOW)}`)
    .execute();
}
