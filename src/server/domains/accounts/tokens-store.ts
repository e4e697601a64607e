import type { Database, Trx } from '#server/database/client.ts';

export type TokenPurpose = 'verify_email' | 'reset_password';

interface NewToken {
  readonly userId: number;
  readonly purpose: TokenPurpose;
  readonly tokenHash: string;
  /** The address that the token is sent to, and which it proves. */
  readonly email: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Stores a token and makes the person's unused ones of the same purpose useless. */
export async function replaceToken(trx: Trx, token: NewToken): Promise<void> {
  await spendTokens(trx, token.userId, token.purpose, token.createdAt);
  await trx.insertInto('accountTokens').values(token).execute();
}

/** Marks a person's unused tokens of one purpose as used. */
export async function spendTokens(trx: Trx, userId: number, purpose: TokenPurpose, at: Date): Promise<void> {
  await trx
    .updateTable('accountTokens')
    .set({ usedAt: at })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute();
}

/** The owner and the address of a token that is neither used nor expired. */
export async function findToken(
  db: Database | Trx,
  purpose: TokenPurpose,
  tokenHash: string,
  at: Date,
): Promise<{ userId: number; email: string } | undefined> {
  return db
    .selectFrom('accountTokens')
    .select(['userId', 'email'])
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
}

/** Marks a token as used. @returns true for exactly one of several simultaneous calls */
export async function takeToken(
  trx: Trx,
  purpose: TokenPurpose,
  tokenHash: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accountTokens')
    .set({ usedAt: at })
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
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
