import type { Database, Trx } from '#server/database/client.ts';

/** A coupon that is not deleted, with its sealed code: for asking about the code, not for telling it. */
export async function findForValidation(db: Database, id: number) {
  return db
    .selectFrom('coupons')
    .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .select(['coupons.ownerId', 'coupons.merchant', 'couponSecrets.code as sealedCode'])
    .where('coupons.id', '=', id)
    .where('coupons.deletedAt', 'is', null)
    .executeTakeFirst();
}

/**
 * Marks a coupon as verified or not, if its code is still the one of that fingerprint. Lock it first.
 * @returns whether that has changed anything
 */
export async function setVerified(
  trx: Trx,
  given: { id: number; codeHash: string; isVerified: boolean },
): Promise<boolean> {
  const row = await trx
    .updateTable('coupons')
    .set({ isVerified: given.isVerified })
    .where('id', '=', given.id)
    .where('codeHash', '=', given.codeHash)
    .where('isVerified', '!=', given.isVerified)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
