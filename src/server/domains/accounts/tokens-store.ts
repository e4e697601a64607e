import type { Database, Trx } from '#server/database/client.ts';

export type TokenPurpose = 'verify_email' | 'reset_password';

interface NewToken {
  readonly userId: number;
  readonly purpose: TokenPurpose;
  readonly tokenHash: string;
  /** The address that it is sent to, and proves. */
  readonly email: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Stores a token; those of the same purpose that the person has not used are spent by it. */
export async function replaceToken(trx: Trx, token: NewToken): Promise<void> {
  await spendTokens(trx, token.userId, token.purpose, token.createdAt);
  await trx.insertInto('accountTokens').values(token).execute();
}

/** Makes unused tokens of a person useless. */
export async function spendTokens(trx: Trx, userId: number, purpose: TokenPurpose, at: Date): Promise<void> {
  await trx
    .updateTable('accountTokens')
    .set({ usedAt: at })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute();
}

/** Whose token this is and which address it was sent to, while it can be used. */
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

/** Uses a token; of several who try at once, for one it is true. */
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

/** Removes tokens that have been past use since before `at`. */
export async function deletePastTokens(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('accountTokens').where('expiresAt', '<', at).execute();
}
