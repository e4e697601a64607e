import type { Database } from '#server/database/client.ts';
import type { EarlierCall } from './decide.ts';

export interface KeyedCall {
  readonly id: string;
  readonly callHash: string;
}

/** @returns false where the key was used before */
export async function insertCall(db: Database, call: KeyedCall, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotencyKeys')
    .values({ ...call, createdAt: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findCall(
  db: Database,
  id: string,
): Promise<(EarlierCall & { readonly answer: Buffer | null }) | undefined> {
  const row = await db.selectFrom('idempotencyKeys').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { ...row, isAnswered: row.answer !== null };
}

export async function storeAnswer(db: Database, id: string, answer: Buffer): Promise<void> {
  await db.updateTable('idempotencyKeys').set({ answer }).where('id', '=', id).execute();
}

/** Forgets a call that was begun at that time. @returns false when another one has done so */
export async function deleteCall(db: Database, id: string, createdAt: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotencyKeys')
    .where('id', '=', id)
    .where('createdAt', '=', createdAt)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function deleteOld(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('idempotencyKeys').where('createdAt', '<=', before).execute();
}
