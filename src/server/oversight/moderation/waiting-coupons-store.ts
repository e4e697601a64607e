import type { Database, Trx } from '#server/database/client.ts';
import { notOwnCase } from '#server/people/audit/own-cases-sql.ts';

/** Coupons of other people who may list, not expired and not used, that wait because codes of their merchants were being guessed. */
function selectWaiting(db: Database | Trx, { moderatorId, now }: { moderatorId: number; now: Date }) {
  return db
    .selectFrom('coupons')
    .innerJoin('users', 'users.id', 'coupons.ownerId')
    .where('coupons.waitingSince', 'is not', null)
    .where('coupons.deletedAt', 'is', null)
    .where('coupons.usedAt', 'is', null)
    .where((where) =>
      where.or([where('coupons.expiresAt', 'is', null), where('coupons.expiresAt', '>=', now)]),
    )
    .where(notOwnCase(moderatorId, ['coupons.ownerId']))
    .where('users.status', '!=', 'banned')
    .where('users.emailVerifiedAt', 'is not', null);
}

/** Up to `limit` coupons that wait for this moderator, the oldest first. */
export function listWaiting(db: Database, given: { moderatorId: number; now: Date; limit: number }) {
  return selectWaiting(db, given)
    .select(['coupons.id', 'coupons.title', 'coupons.merchant', 'coupons.description'])
    .select(['users.id as ownerId', 'users.username as ownerUsername', 'users.createdAt as ownerSince'])
    .orderBy('coupons.waitingSince')
    .orderBy('coupons.id')
    .limit(given.limit)
    .execute();
}

export type WaitingCouponRow = NonNullable<Awaited<ReturnType<typeof findWaiting>>>;

/** A coupon that waits. Lock it first. */
export function findWaiting(trx: Trx, given: { id: number; moderatorId: number; now: Date }) {
  return selectWaiting(trx, given)
    .select(['coupons.id', 'coupons.title', 'coupons.ownerId'])
    .where('coupons.id', '=', given.id)
    .executeTakeFirst();
}

/** Ends the wait and lists the coupon. Fails with a unique violation of coupons_code_key if its code is listed. */
export async function endWaiting(trx: Trx, { id, at }: { id: number; at: Date }): Promise<void> {
  const values = { waitingSince: null, isWithheld: false, isActive: true, updatedAt: at };
  await trx.updateTable('coupons').set(values).where('id', '=', id).execute();
}
