import type { Database } from '#server/database/client.ts';
import { ENDS_AT } from '../coupon-filter.ts';

/**
 * Delists up to `limit` coupons whose last day has passed, which removes them from the indexes of live coupons. Skips
 * locked ones; a later run takes them.
 */
export async function delistPast(db: Database, now: Date, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .with('past', (cte) =>
      cte
        .selectFrom('coupons')
        .select('id')
        .where('isActive', '=', true)
        .where(ENDS_AT, '<', now)
        .orderBy(ENDS_AT)
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('coupons')
    .from('past')
    .set({ isActive: false })
    .whereRef('coupons.id', '=', 'past.id')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
