import type { Insertable } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { type Credentials, credentialsOf } from './store.ts';

/** The purpose of a challenge. */
type ChallengePurpose = 'sign_in' | 'register' | 'confirm' | 'add';

export interface Challenge {
  readonly challengeHash: string;
  /** Keyed by the browser that asked. */
  readonly browserHash: string;
  readonly purpose: ChallengePurpose;
  /** Null for a sign-in and a registration: the person is known only from the answer. */
  readonly userId: number | null;
}

export async function insertChallenge(
  db: Database,
  challenge: Challenge & { readonly expiresAt: Date },
): Promise<void> {
  await db.insertInto('passkeyChallenges').values(challenge).execute();
}

/** Uses up a challenge. @returns whether it was open */
export async function takeChallenge(db: Database, challenge: Challenge, at: Date): Promise<boolean> {
  const { challengeHash, browserHash, purpose, userId } = challenge;
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenges')
    .where('challengeHash', '=', challengeHash)
    .where('browserHash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('userId', 'is not distinct from', userId)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes challenges that expired before `at`. */
export async function deletePastChallenges(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<', at).execute();
}

export interface KnownPasskey {
  readonly id: number;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly name: string;
  readonly owner: Credentials;
}

/** A passkey of somebody who is not deleted, and its owner. */
export async function findPasskey(db: Database, credentialId: string): Promise<KnownPasskey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .select(['id', 'credentialId', 'publicKey', 'counter', 'name', 'userId'])
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
  const owner = row && (await credentialsOf(db).where('id', '=', row.userId).executeTakeFirst());
  return row && owner && { ...row, owner };
}

/**
 * Stores a use of a passkey.
 * @param before its counter as it was when the signature was checked
 * @returns false if it has been used or removed since
 */
export async function notePasskeyUse(
  db: Database,
  id: number,
  { before, counter, at }: { before: number; counter: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: at })
    .where('id', '=', id)
    .where('counter', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In the order in which they were added. */
export function listPasskeys(db: Database | Trx, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'credentialId', 'transports', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

export type PasskeyRow = Awaited<ReturnType<typeof listPasskeys>>[number];

/** Fails with a unique violation of passkeys_credential_id_key if somebody has it already. */
export async function insertPasskey(trx: Trx, values: Insertable<DB['passkeys']>): Promise<PasskeyRow> {
  return trx
    .insertInto('passkeys')
    .values(values)
    .returning(['id', 'credentialId', 'transports', 'name', 'createdAt', 'lastUsedAt'])
    .executeTakeFirstOrThrow();
}

/** @returns false if the person has no such passkey */
export async function renamePasskey(
  db: Database,
  { userId, id, name }: { userId: number; id: number; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns undefined if the person has no such passkey */
export async function removePasskey(
  trx: Trx,
  userId: number,
  id: number,
): Promise<{ name: string } | undefined> {
  return trx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('name')
    .executeTakeFirst();
}

/** @returns whether the person had any */
export async function removePasskeysOf(trx: Trx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}
