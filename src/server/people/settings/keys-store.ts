import type { Database, Trx } from '#server/database/client.ts';

/** A key as it is stored. */
export interface SealedKey {
  readonly id: string;
  readonly sealed: Buffer;
  readonly boundTo: string;
}

/** All keys; there are few. */
export async function listKeys(db: Database | Trx): Promise<SealedKey[]> {
  return db.selectFrom('settingKeys').select(['id', 'sealed', 'boundTo']).orderBy('id').execute();
}

export async function insertKey(trx: Trx, key: SealedKey & { readonly createdAt: Date }): Promise<void> {
  await trx.insertInto('settingKeys').values(key).execute();
}
