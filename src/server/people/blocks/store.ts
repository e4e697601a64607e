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

/** Locks every pair of these people, shared, in the order of their ids. */
export async function lockPairs(trx: Trx, userIds: readonly number[]): Promise<void> {
  const ids = [...new Set(userIds)].sort((a, b) => a - b);
  for (const [place, one] of ids.entries()) {
    for (const other of ids.slice(place + 1)) await lockPair(trx, one, other, 'shared');
  }
}

/** The blocks among these people. */
export async function blocksAmong(
  db: Database | Trx,
  userIds: readonly number[],
): Promise<{ blockerId: number; blockedId: number }[]> {
  return db
    .selectFrom('userBlocks')
    .select(['blockerId', 'blockedId'])
    .where('blockerId', 'in', [...userIds])
    .where('blockedId', 'in', [...userIds])
    .execute();
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

/**
 * The ids of the people that a person has blocked. Further blocks by this person wait until the transaction ends.
 */
export async function lockBlockedIds(trx: Trx, blockerId: number): Promise<number[]> {
  // A statement of its own: the next one sees what was stored while it waited.
  await sql`select pg_advisory_xact_lock(hashtext('clipswap blocker'), ${blockerId})`.execute(trx);
  return blockedIds(trx, blockerId);
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
