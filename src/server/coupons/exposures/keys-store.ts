import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** A public key as a JWK; one of the curve P-256. */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

interface NewKey {
  readonly id: string;
  readonly publicKey: PublicKey;
  readonly sealed: Buffer;
}

/** The key that signs now, sealed. */
export async function findSigningKey(
  db: Database | Trx,
): Promise<{ id: string; sealed: Buffer } | undefined> {
  return db
    .selectFrom('proofKeys')
    .select(['id', 'sealed'])
    .where('sealed', 'is not', null)
    .$narrowType<{ sealed: Buffer }>()
    .executeTakeFirst();
}

/** Every public key that has ever signed, the oldest first. */
export async function listPublicKeys(db: Database | Trx): Promise<{ id: string; publicKey: PublicKey }[]> {
  const rows = await db
    .selectFrom('proofKeys')
    .select(['id', sql<PublicKey>`public_key`.as('publicKey')])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows;
}

/** Stores the key that signs, unless there is one. */
export async function insertKey(db: Database | Trx, { id, publicKey, sealed }: NewKey): Promise<void> {
  await sql`
    insert into proof_keys (id, public_key, sealed, created_at)
    values (${id}, ${JSON.stringify(publicKey)}::jsonb, ${sealed}, clock_timestamp())
    on conflict do nothing`.execute(db);
}

/** Ends the signing by a key: its private part is gone, its public part stays. @returns whether it was signing */
export async function retireKey(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .updateTable('proofKeys')
    .set({ sealed: null, retiredAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
