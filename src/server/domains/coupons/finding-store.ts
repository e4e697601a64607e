import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import { compiledOnce } from '#server/database/compiled-once.ts';
import { type CouponRow, selectCoupons } from './store.ts';

/** A coupon that is not deleted, live or expired; one hidden by a ban is visible only to its owner. */
export async function findCoupon(db: Database | Trx, id: number, viewerId: number | null) {
  const [row] = await readCoupon(db, { id, viewerId: viewerId ?? 0 });
  return row;
}

const readCoupon = compiledOnce((db, { id, viewerId }: { id: number; viewerId: number }) =>
  selectVisible(db, viewerId).where('coupons.id', '=', id),
);

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
  return readCoupons(db, { ids, viewerId: viewerId ?? 0 });
}

const readCoupons = compiledOnce((db, { ids, viewerId }: { ids: readonly number[]; viewerId: number }) =>
  selectVisible(db, viewerId).where('coupons.id', '=', sql<number>`any(${ids}::integer[])`),
);

function selectVisible(db: Database | Trx, viewerId: number | null) {
  return selectCoupons(db, viewerId)
    .where('coupons.deletedAt', 'is', null)
    .where((where) =>
      where.or([where('coupons.isHiddenByBan', '=', false), where('coupons.ownerId', '=', viewerId ?? 0)]),
    );
}
