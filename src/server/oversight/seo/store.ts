import { sql } from 'kysely';
import { ENDS_AT } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database } from '#server/database/client.ts';

/** Coupons that are on offer at an instant. */
function live(db: Database, now: Date) {
  return db.selectFrom('coupons').where('isActive', '=', true).where(ENDS_AT, '>=', now);
}

/** Coupons on offer with ids in (after, upTo], by id. */
export async function listLive(
  db: Database,
  now: Date,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
) {
  return live(db, now)
    .select(['id', 'updatedAt'])
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * The ranges of `size` ids that contain coupons on offer, each with its latest change. For the sitemap's own size an
 * index holds the changes of each range in order.
 */
export async function listParts(db: Database, now: Date, size: number) {
  const partOf = sql<number>`(id - 1) / ${sql.lit(size)}`;
  const parts = sql<{ part: number }>`
    (select generate_series(0, (select (max(id) - 1) / ${sql.lit(size)} from coupons)) as part)`;
  return db
    .selectFrom(parts.as('parts'))
    .innerJoinLateral(
      live(db, now)
        .select('updatedAt')
        .where(partOf, '=', sql.ref<number>('parts.part'))
        .orderBy('updatedAt', 'desc')
        .limit(1)
        .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['parts.part', 'latest.updatedAt'])
    .orderBy('parts.part')
    .execute();
}

/** The ids of the coupons on offer, the most recently changed first. */
export async function listLatestChanges(db: Database, now: Date, limit: number): Promise<number[]> {
  const rows = await live(db, now)
    .select('id')
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The folded names of merchants with coupons on offer, at most `limit`. */
export async function listMerchantKeys(db: Database, now: Date, limit: number): Promise<string[]> {
  const isOnOffer = live(db, now).where('merchantText', '=', sql.ref<string>('merchants.name')).select('id');
  const merchants = db
    .selectFrom('merchants')
    .select('name')
    .where(({ exists }) => exists(isOnOffer));
  const rows = await merchants.orderBy('name').limit(limit).execute();
  return rows.map(({ name }) => name);
}
