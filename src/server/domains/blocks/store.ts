import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/**
 * Locks a pair of people until the transaction ends: shared by those who begin a deal, exclusive for a block. Lock
 * coupons and deals first.
 */
export async function lockPair(
  trx: Trx,
  one: number,
  other: number,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(${Math.min(one, other)}::integer, ${Math.max(one, other)}::integer)`.execute(trx);
}

/** Which of the two have blocked the other. */
export async function blockersOf(db: Database | Trx, one: number, other: number): Promise<number[]> {
  const rows = await db
    .selectFrom('userBlocks')
    .select('blockerId')
    .where((where) =>
      where.or([
        where.and({ blockerId: one, blockedId: other }),
        where.and({ blockerId: other, blockedId: one }),
      ]),
    )
    .execute();
  return rows.map(({ blockerId }) => blockerId);
}

/** Does nothing if the person is blocked already. */
export async function insertBlock(trx: Trx, blockerId: number, blockedId: number, at: Date): Promise<void> {
  await trx
    .insertInto('userBlocks')
    .values({ blockerId, blockedId, createdAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteBlock(db: Database, blockerId: number, blockedId: number): Promise<void> {
  await db
    .deleteFrom('userBlocks')
    .where('blockerId', '=', blockerId)
    .where('blockedId', '=', blockedId)
    .execute();
}

export async function deleteBlocksOf(trx: Trx, userId: number): Promise<void> {
  await trx
    .deleteFrom('userBlocks')
    .where((where) => where.or({ blockerId: userId, blockedId: userId }))
    .execute();
}

export async function blockedIds(db: Database | Trx, blockerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('userBlocks')
    .select('blockedId')
    .where('blockerId', '=', blockerId)
    .execute();
  return rows.map(({ blockedId }) => blockedId);
}

/** The latest block first. */
export async function listBlocked(db: Database, blockerId: number) {
  return db
    .selectFrom('userBlocks')
    .innerJoin('users', 'users.id', 'userBlocks.blockedId')
    .select(['users.id', 'users.username', 'users.pictureId', 'userBlocks.createdAt'])
    .where('blockerId', '=', blockerId)
    .orderBy('userBlocks.createdAt', 'desc')
    .orderBy('users.id', 'desc')
    .execute();
}

export async function isPerson(trx: Trx, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
