import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import { prepared } from '#server/database/prepared.ts';
import { type CouponRow, selectCoupons } from './store.ts';

/** A coupon that is not deleted, live or expired; one hidden by a ban is visible only to its owner. */
export async function findCoupon(db: Database | Trx, id: number, viewerId: number | null) {
  const found = selectVisible(db, viewerId).where('coupons.id', '=', id);
  const [row] = await prepared(db, 'coupon-by-id', found);
  return row;
}

/** The coupon that its owner has listed with this key. */
export async function findByClientKey(db: Database, ownerId: number, clientKey: string) {
  return selectCoupons(db, ownerId)
    .where('coupons.ownerId', '=', ownerId)
    .where('coupons.clientKey', '=', clientKey)
    .executeTakeFirst();
}

export function findCoupons(
  db: Database,
  ids: readonly number[],
  viewerId: number | null,
): Promise<CouponRow[]> {
  const found = selectVisible(db, viewerId).where('coupons.id', '=', sql<number>`any(${ids}::integer[])`);
  return prepared(db, 'coupons-by-id', found);
}

function selectVisible(db: Database | Trx, viewer: number | null) {
  // The same SQL for a visitor, so that it can be prepared.
  const viewerId = viewer ?? 0;
  return selectCoupons(db, viewerId)
    .where('coupons.deletedAt', 'is', null)
    .where((where) =>
      where.or([where('coupons.isWithheld', '=', false), where('coupons.ownerId', '=', viewerId)]),
    );
}
