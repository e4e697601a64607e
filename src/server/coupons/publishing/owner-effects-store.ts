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

/** The coupons that show a picture. */
export async function listShowing(trx: Trx, pictureId: string): Promise<number[]> {
  const showing = trx.selectFrom('coupons').select('id').where('pictureId', '=', pictureId);
  const rows = await showing.where('deletedAt', 'is', null).execute();
  return rows.map(({ id }) => id);
}

/** Takes a picture off these coupons. Lock them first. @returns those that had it, in the order of their owners */
export async function clearPicture(
  trx: Trx,
  { ids, pictureId, at }: { ids: readonly number[]; pictureId: string; at: Date },
) {
  const cleared = await trx
    .updateTable('coupons')
    .set({ pictureId: null, updatedAt: at })
    .where('id', '=', among(ids))
    .where('pictureId', '=', pictureId)
    .where('deletedAt', 'is', null)
    .returning(['id', 'ownerId', 'title'])
    .execute();
  return cleared.sort((a, b) => a.ownerId - b.ownerId || a.id - b.id);
}

/** All coupons of one owner that are not deleted. */
export async function listOwned(trx: Trx, ownerId: number): Promise<number[]> {
  const owned = trx.selectFrom('coupons').select('id').where('ownerId', '=', ownerId);
  const rows = await owned.where('deletedAt', 'is', null).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Marks coupons as deleted and erases their codes, the hashes, the pictures and the prices. Lock the coupons first. */
export async function deleteCoupons(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  await trx
    .updateTable('coupons')
    .set({
      isActive: false,
      isWithheld: false,
      waitingSince: null,
      deletedAt: at,
      updatedAt: at,
      clientKey: null,
      codeHash: null,
      pictureId: null,
      askingPrice: null,
      priceFloor: null,
    })
    .where('id', '=', among(ids))
    .execute();
  await trx.deleteFrom('couponSecrets').where('couponId', '=', among(ids)).execute();
}

export async function deleteSavedOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('savedCoupons').where('userId', '=', userId).execute();
}
