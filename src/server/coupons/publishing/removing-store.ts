import { sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';

const among = (ids: readonly number[]) => sql<number>`any(${[...ids]}::integer[])`;

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
