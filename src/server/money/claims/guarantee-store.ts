import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** When a coupon expires; null if it never does. */
export async function findExpiry(db: Database, couponId: number): Promise<Date | null> {
  const row = await db
    .selectFrom('coupons')
    .select('expiresAt')
    .where('id', '=', couponId)
    .executeTakeFirstOrThrow();
  return row.expiresAt;
}

/** Of these bids, those whose coupon the buyer still has and has not used. */
export async function listUnused(db: Database | Trx, bidIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('bids')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select('bids.id')
    .where('bids.id', '=', sql<number>`any(${bidIds})`)
    .whereRef('coupons.ownerId', '=', 'bids.bidderId')
    .where('coupons.usedAt', 'is', null)
    .where('coupons.deletedAt', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks a person, after all other locks. */
export async function lockPerson(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}
