import type { Selectable } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

const LISTED = ['id', 'issuer', 'createdAt', 'lastUsedAt'] as const;

export type IdentityRow = Pick<Selectable<DB['identities']>, (typeof LISTED)[number]>;

/** In the order in which they were linked. */
export function listOf(db: Database | Trx, userId: number): Promise<IdentityRow[]> {
  return db.selectFrom('identities').select(LISTED).where('userId', '=', userId).orderBy('id').execute();
}

/** Whose account an identity opens. */
export function findIdentity(
  db: Database | Trx,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<{ id: number; userId: number } | undefined> {
  return db
    .selectFrom('identities')
    .select(['id', 'userId'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/**
 * Fails with a unique violation of identities_subject_key if it opens an account already, of identities_one_each if the
 * person has one of this issuer.
 */
export async function insertIdentity(
  trx: Trx,
  identity: { userId: number; issuer: string; subject: string; createdAt: Date; lastUsedAt: Date | null },
): Promise<void> {
  await trx.insertInto('identities').values(identity).execute();
}

/** @returns false if it opens no account any more */
export async function noteUse(db: Database, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('identities')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns undefined if the person has no such identity */
export function removeIdentity(
  trx: Trx,
  userId: number,
  id: number,
): Promise<{ issuer: string } | undefined> {
  return trx
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('issuer')
    .executeTakeFirst();
}

/** A sign-in that begins at the provider. */
export interface NewRequest {
  readonly stateHash: string;
  /** Of the token of the browser, which alone may bring the answer. */
  readonly browserHash: string;
  /** Who links an identity; null: a sign-in. */
  readonly userId: number | null;
  readonly returnPath: string | null;
  readonly nonce: string;
  readonly verifier: string;
  readonly expiresAt: Date;
}

export async function insertRequest(db: Database, request: NewRequest): Promise<void> {
  await db.insertInto('identityRequests').values(request).execute();
}

/** Takes the one answer that a request may have. @returns undefined for any further one, and from another browser */
export function takeAnswer(
  db: Database,
  { stateHash, browserHash }: Pick<NewRequest, 'stateHash' | 'browserHash'>,
  at: Date,
): Promise<Pick<NewRequest, 'returnPath' | 'nonce' | 'verifier'> | undefined> {
  return db
    .updateTable('identityRequests')
    .set({ answeredAt: at })
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', browserHash)
    .where('answeredAt', 'is', null)
    .where('expiresAt', '>', at)
    .returning(['returnPath', 'nonce', 'verifier'])
    .executeTakeFirst();
}

/** Whom the provider has named, until `expiresAt`. Whom it named in the browser before is forgotten. */
export async function storeProof(
  trx: Trx,
  { stateHash, browserHash }: Pick<NewRequest, 'stateHash' | 'browserHash'>,
  proof: {
    issuer: string;
    subject: string;
    email: string | null;
    isEmailVerified: boolean;
    provedAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await trx
    .deleteFrom('identityRequests')
    .where('browserHash', '=', browserHash)
    .where('provedAt', 'is not', null)
    .execute();
  await trx.updateTable('identityRequests').set(proof).where('stateHash', '=', stateHash).execute();
}

/** What the provider has proved of somebody in a browser. */
export interface ProvedRequest {
  readonly stateHash: string;
  readonly userId: number | null;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly provedAt: Date;
}

/** The latest one of a browser that has not been used. */
export function findProved(db: Database, browserHash: string, at: Date): Promise<ProvedRequest | undefined> {
  return db
    .selectFrom('identityRequests')
    .select(['stateHash', 'userId', 'issuer', 'subject', 'email', 'isEmailVerified', 'provedAt'])
    .where('browserHash', '=', browserHash)
    .where('provedAt', 'is not', null)
    .where('expiresAt', '>', at)
    .orderBy('provedAt', 'desc')
    .orderBy('stateHash')
    .limit(1)
    .$narrowType<{ issuer: string; subject: string; provedAt: Date }>()
    .executeTakeFirst();
}

/** Uses up what was proved. @returns true for exactly one of several simultaneous calls */
export async function takeProof(db: Database | Trx, stateHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('identityRequests')
    .where('stateHash', '=', stateHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes requests that expired before `at`. */
export async function deletePastRequests(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('identityRequests').where('expiresAt', '<', at).execute();
}
