import type { Database, Trx } from '#server/database/client.ts';

interface Address {
  readonly userId: number;
  readonly key: string;
  readonly tokenHash: string;
  readonly createdAt: Date;
}

/** The key of a person's address; undefined if there is none. */
export async function findKey(db: Database, userId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('calendarAddresses')
    .select('key')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return found?.key;
}

/** Replaces the one that the person has. */
export async function setAddress(db: Database, { userId, ...address }: Address): Promise<void> {
  await db
    .insertInto('calendarAddresses')
    .values({ userId, ...address })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(address))
    .execute();
}

export async function deleteAddressOf(db: Database | Trx, userId: number): Promise<void> {
  await db.deleteFrom('calendarAddresses').where('userId', '=', userId).execute();
}

/** Whose address it is; undefined if it is nobody's, or of somebody who is banned or deleted. */
export async function findOwner(db: Database, tokenHash: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('calendarAddresses')
    .innerJoin('users', 'users.id', 'calendarAddresses.userId')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where('users.status', '!=', 'banned')
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
  return found?.userId;
}

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
