import type { Insertable } from 'kysely';
import { z } from 'zod';
import { askedActSchema } from '#contract/people/assistant-requests.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

const COLUMNS = [
  'id',
  'keyId',
  'program',
  'act',
  'subjectId',
  'message',
  'state',
  'createdAt',
  'expiresAt',
] as const;
const stateSchema = z.enum(['waiting', 'confirmed', 'declined']);

const toRow = <Row extends { act: string; state: string }>(row: Row) => ({
  ...row,
  act: askedActSchema.parse(row.act),
  state: stateSchema.parse(row.state),
});

export type RequestRow = NonNullable<Awaited<ReturnType<typeof find>>>;

/** Locks a person, so that nobody else asks them meanwhile. */
export async function lockPerson(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

export async function countWaiting(trx: Trx, userId: number, at: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('assistantRequests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where('expiresAt', '>', at)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insert(trx: Trx, request: Insertable<DB['assistantRequests']>) {
  return toRow(
    await trx.insertInto('assistantRequests').values(request).returning(COLUMNS).executeTakeFirstOrThrow(),
  );
}

/** A person's request; undefined if they have no such request. */
export async function find(db: Database, { id, userId }: { id: number; userId: number }) {
  const row = await db
    .selectFrom('assistantRequests')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row && toRow(row);
}

/** Decides a person's request that still waits. @returns undefined if there is none: of several at once, one succeeds */
export async function decide(
  db: Database,
  { id, userId, state, at }: { id: number; userId: number; state: 'confirmed' | 'declined'; at: Date },
) {
  const row = await db
    .updateTable('assistantRequests')
    .set({ state })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where('expiresAt', '>', at)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toRow(row);
}

/** Lets a confirmed request wait again: its act was refused. */
export async function giveBack(db: Database, id: number): Promise<void> {
  await db.updateTable('assistantRequests').set({ state: 'waiting' }).where('id', '=', id).execute();
}

export async function deleteOld(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('assistantRequests').where('createdAt', '<', before).execute();
}
