import type { Database, Trx } from '#server/database/client.ts';

export interface NewSignIn {
  readonly userId: number;
  readonly userAgent: string;
  readonly isNewBrowser: boolean;
  readonly createdAt: Date;
}

export async function insertSignIn(trx: Trx, signIn: NewSignIn): Promise<void> {
  await trx.insertInto('signIns').values(signIn).execute();
}

/** The newest first. */
export async function listSignIns(db: Database, userId: number, limit: number) {
  return db
    .selectFrom('signIns')
    .select(['id', 'userAgent', 'isNewBrowser', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function deleteSignInsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('signIns').where('userId', '=', userId).execute();
}

export async function deleteSignInsBefore(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('signIns').where('createdAt', '<', at).execute();
}
