import type { Database, Trx } from '#server/database/client.ts';

/** `not_me`: takes an account back; its links are in the mails that tell of a change. */
export type TokenPurpose = 'verify_email' | 'reset_password' | 'not_me';

interface NewToken {
  readonly userId: number;
  readonly purpose: TokenPurpose;
  readonly tokenHash: string;
  /** The address that the token is sent to, and which it proves. */
  readonly email: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export async function insertToken(trx: Trx, token: NewToken): Promise<void> {
  await trx.insertInto('accountTokens').values(token).execute();
}

/** Makes a person's open tokens of one purpose useless. @param since only those created at or after it */
export async function revokeTokens(
  trx: Trx,
  userId: number,
  purpose: TokenPurpose,
  at: Date,
  since?: Date,
): Promise<void> {
  await trx
    .updateTable('accountTokens')
    .set({ revokedAt: at })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .$if(since !== undefined, (query) => query.where('createdAt', '>=', since ?? at))
    .execute();
}

/** A token that has not expired, and whether it was used; undefined if it is unknown or useless. */
export async function findToken(
  db: Database | Trx,
  purposes: readonly TokenPurpose[],
  tokenHash: string,
  at: Date,
) {
  return db
    .selectFrom('accountTokens')
    .select(['userId', 'email', 'purpose', 'createdAt', 'usedAt'])
    .where('tokenHash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at)
    .$narrowType<{ purpose: TokenPurpose }>()
    .executeTakeFirst();
}

/** Marks a token as used. @returns true for exactly one of several simultaneous calls */
export async function takeToken(trx: Trx, tokenHash: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accountTokens')
    .set({ usedAt: at })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteTokensOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('accountTokens').where('userId', '=', userId).execute();
}

/** Removes tokens that expired before `at`. */
export async function deletePastTokens(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('accountTokens').where('expiresAt', '<', at).execute();
}
