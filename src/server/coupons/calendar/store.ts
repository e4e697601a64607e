import type { Database } from '#server/database/client.ts';

/** A person's coupons that are not used and have not expired, those first that expire first. */
export async function listExpiring(
  db: Database,
  { userId, at, limit }: { userId: number; at: Date; limit: number },
) {
  return db
    .selectFrom('coupons')
    .select(['id', 'title', 'merchant', 'expiryDate', 'updatedAt'])
    .$narrowType<{ expiryDate: string }>()
    .where('ownerId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>=', at)
    .orderBy('expiresAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}
