import type { Database, Trx } from '#server/database/client.ts';

/** What an address is for. A person has at most one of each kind. */
export type AddressKind = 'calendar' | 'mail';

export async function findAddress(db: Database | Trx, userId: number, kind: AddressKind) {
  return db
    .selectFrom('privateAddresses')
    .select(['key', 'createdAt'])
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** Stores an address in place of another of its kind. */
export async function putAddress(
  db: Database,
  {
    userId,
    kind,
    ...address
  }: { userId: number; kind: AddressKind; key: string; tokenHash: string; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('privateAddresses')
    .values({ userId, kind, ...address })
    .onConflict((conflict) => conflict.columns(['userId', 'kind']).doUpdateSet(address))
    .execute();
}

/** @param kind null: those of all kinds */
export async function deleteAddresses(
  db: Database | Trx,
  userId: number,
  kind: AddressKind | null,
): Promise<void> {
  await db
    .deleteFrom('privateAddresses')
    .where('userId', '=', userId)
    .$if(kind !== null, (all) => all.where('kind', '=', kind))
    .execute();
}

/** Whose address has a token of this hash; nobody's if they are banned or deleted. */
export async function findOwner(db: Database, kind: AddressKind, tokenHash: string) {
  return db
    .selectFrom('privateAddresses')
    .innerJoin('users', 'users.id', 'privateAddresses.userId')
    .select(['userId', 'users.language'])
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('users.status', '!=', 'banned')
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
}
