import type { Database, Trx } from '#server/database/client.ts';

export interface SecondFactorRow {
  readonly secret: Buffer;
  readonly lastStep: number;
  readonly enabledAt: Date | null;
}

function select(db: Database | Trx, userId: number) {
  return db
    .selectFrom('secondFactors')
    .select(['secret', 'enabledAt'])
    .select((where) => where.cast<number>('lastStep', 'integer').as('lastStep'))
    .where('userId', '=', userId);
}

export async function find(db: Database | Trx, userId: number): Promise<SecondFactorRow | undefined> {
  return select(db, userId).executeTakeFirst();
}

/** Locks the row: a second code given at the same time waits, and then sees that the first one was used. */
export async function lock(trx: Trx, userId: number): Promise<SecondFactorRow | undefined> {
  return select(trx, userId).forUpdate().executeTakeFirst();
}

/** Stores the secret of a set-up that has begun; replaces that of an earlier one. */
export async function begin(
  trx: Trx,
  given: { userId: number; secret: Buffer; createdAt: Date },
): Promise<void> {
  await trx
    .insertInto('secondFactors')
    .values(given)
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(given).where('secondFactors.enabledAt', 'is', null),
    )
    .execute();
}

export async function update(
  trx: Trx,
  userId: number,
  values: { lastStep: number; enabledAt?: Date },
): Promise<void> {
  await trx.updateTable('secondFactors').set(values).where('userId', '=', userId).execute();
}

/** Deletes a person's second factor with its recovery codes. */
export async function remove(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('secondFactors').where('userId', '=', userId).execute();
}

export async function replaceRecoveryCodes(
  trx: Trx,
  userId: number,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await trx
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ userId, codeHash, createdAt: at })))
    .execute();
}

/** Uses up a recovery code. @returns false if the person has no such unused code */
export async function takeRecoveryCode(
  trx: Trx,
  userId: number,
  codeHash: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recoveryCodes')
    .set({ usedAt: at })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many recovery codes are unused, and when they were made. */
export async function countRecoveryCodes(
  db: Database | Trx,
  userId: number,
): Promise<{ count: number; since: Date | null }> {
  return db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('createdAt').as('since')])
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
}
