import type { Insertable } from 'kysely';
import { type ApiScope, apiScopeSchema } from '#contract/people/api-keys.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { createPrepared } from '#server/database/prepared.ts';
import type { DB } from '#server/database/types.ts';
import { TRUST } from '#server/people/sessions/trust-sql.ts';

const COLUMNS = ['id', 'name', 'hint', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'] as const;

export interface ApiKeyRow {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly scopes: ApiScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

const toRow = <Row extends { scopes: string[] }>(row: Row) => ({
  ...row,
  scopes: apiScopeSchema.array().parse(row.scopes),
});

const keyByHash = createPrepared('api-key', (db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('apiKeys')
    .innerJoin('users', 'users.id', 'apiKeys.userId')
    .select(['apiKeys.id', 'apiKeys.name', 'apiKeys.scopes', 'apiKeys.expiresAt', 'apiKeys.lastUsedAt'])
    .select(['apiKeys.clientId', 'apiKeys.tokenUntil'])
    .select(['apiKeys.userId', 'users.username', 'users.role', 'users.status', 'users.deletedAt'])
    .select('users.createdAt as memberSince')
    .select(TRUST)
    .where('apiKeys.tokenHash', '=', tokenHash),
);

/** The key of a hash, and its owner. */
export async function findByHash(db: Database, tokenHash: string) {
  const [row] = await keyByHash(db, { tokenHash });
  return row && toRow(row);
}

/** Stores the last use of a key; of several simultaneous calls only the first one writes. */
export async function touch(db: Database, id: number, unlessSince: Date, at: Date): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', unlessSince)]))
    .execute();
}

/** A person's keys, the newest first. */
export async function list(db: Database | Trx, userId: number): Promise<ApiKeyRow[]> {
  const rows = await db
    .selectFrom('apiKeys')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toRow);
}

/** Locks a key against its removal. @returns whether it is there */
export async function hold(trx: Trx, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('apiKeys')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a person, so that nobody makes more keys for them meanwhile. */
export async function lockOwner(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

export async function insert(trx: Trx, key: Insertable<DB['apiKeys']>): Promise<ApiKeyRow> {
  return toRow(await trx.insertInto('apiKeys').values(key).returning(COLUMNS).executeTakeFirstOrThrow());
}

/** @returns the key that was removed; undefined if the person has no such key */
export async function remove(trx: Trx, userId: number, id: number): Promise<ApiKeyRow | undefined> {
  const row = await trx
    .deleteFrom('apiKeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toRow(row);
}

/** The addresses that each key of a person has added, by the id of the key. */
export async function webhooksByKey(db: Database, userId: number): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('webhookEndpoints')
    .select(['keyId', 'url'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  const urls = new Map<number, string[]>();
  for (const { keyId, url } of rows) if (keyId !== null) urls.set(keyId, [...(urls.get(keyId) ?? []), url]);
  return urls;
}

/** Removes the addresses that one of a person's keys has added. */
export async function removeWebhooksOfKey(trx: Trx, userId: number, keyId: number): Promise<void> {
  await trx.deleteFrom('webhookEndpoints').where('userId', '=', userId).where('keyId', '=', keyId).execute();
}
