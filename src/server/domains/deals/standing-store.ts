import type { Trx } from '#server/database/client.ts';

/**
 * Whether somebody is neither banned nor gone; it stays so until the transaction ends. The lock waits for a ban that
 * is being written down, and for nothing else: a foreign key takes the same. Lock deals first.
 */
export async function isWelcome(trx: Trx, userId: number): Promise<boolean> {
  const person = await trx
    .selectFrom('users')
    .select(['status', 'deletedAt'])
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  return person !== undefined && person.status !== 'banned' && person.deletedAt === null;
}
