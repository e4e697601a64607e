import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

export interface NewSignIn {
  readonly userId: number;
  readonly userAgent: string;
  readonly isNewBrowser: boolean;
  readonly networkHash: string | null;
  readonly createdAt: Date;
}

export async function insertSignIn(trx: Trx, signIn: NewSignIn): Promise<void> {
  await trx.insertInto('signIns').values(signIn).execute();
}

/** Notes that other accounts were used in this person's browser: they may be one person. */
export async function noteSharedBrowser(trx: Trx, userId: number, others: readonly number[]): Promise<void> {
  await sql`
    insert into uncounted_pairs (lower_id, higher_id)
    select least(id, ${userId}::integer), greatest(id, ${userId}::integer)
    from users where id = any(${[...others]}::integer[]) order by 1, 2
    on conflict do nothing`.execute(trx);
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
