import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

const among = (ids: readonly number[]) => sql<number>`any(${[...ids]}::integer[])`;

/** Up to `limit` listed coupons of one owner. */
export async function listListed(trx: Trx, ownerId: number, limit: number): Promise<number[]> {
  const listed = trx.selectFrom('coupons').select('id').where('ownerId', '=', ownerId);
  const rows = await listed.where('isActive', '=', true).orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Takes coupons off the lists until the ban ends. Lock them first. */
export async function hide(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable('coupons')
    .set({ isActive: false, isWithheld: true })
    .where('id', '=', among(ids))
    .where('isActive', '=', true)
    .execute();
}

/** Up to `limit` hidden coupons of one owner; none while their address is not confirmed, and none that waits. */
export async function listHidden(db: Database, ownerId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('coupons')
    .innerJoin('users', 'users.id', 'coupons.ownerId')
    .select('coupons.id')
    .where('ownerId', '=', ownerId)
    .where('isWithheld', '=', true)
    .where('waitingSince', 'is', null)
    .where('users.emailVerifiedAt', 'is not', null)
    .orderBy('coupons.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Ends the hiding of one coupon; `isActive` lists it again. Lock it first. Fails with a unique violation of
 * coupons_code_key if another person has listed the code meanwhile.
 */
export async function unhide(trx: Trx, given: { id: number; ownerId: number; isActive: boolean }) {
  await trx
    .updateTable('coupons')
    .set({ isActive: given.isActive, isWithheld: false })
    .where('id', '=', given.id)
    .where('ownerId', '=', given.ownerId)
    .where('isWithheld', '=', true)
    .execute();
}
