import { sql } from 'kysely';
import { ENDS_AT } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Trx } from '#server/database/client.ts';

/** Takes a coupon off the lists as used. Lock it first. */
export async function markUsed(trx: Trx, { id, at }: { id: number; at: Date }): Promise<void> {
  await trx
    .updateTable('coupons')
    .set({
      usedAt: at,
      // A withheld one is listed when what hides it ends.
      wasListed: sql<boolean>`is_active or is_withheld`,
      isActive: false,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Ends that a coupon is used; lists it again if it was listed and has not expired. Lock it first. Fails with a unique
 * violation of coupons_code_key if its code is listed already.
 */
export async function unmarkUsed(trx: Trx, { id, at }: { id: number; at: Date }): Promise<void> {
  await trx
    .updateTable('coupons')
    .set({
      usedAt: null,
      wasListed: false,
      isActive: sql<boolean>`was_listed and ${ENDS_AT} >= ${at}`,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
}
