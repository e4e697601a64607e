import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** Notes since when the deposit of a party is authorised; null: it is not. Lock the exchange first. */
export async function setDepositAt(
  trx: Trx,
  exchangeId: number,
  { userId, depositAt }: { userId: number; depositAt: Date | null },
): Promise<void> {
  await trx
    .updateTable('exchangeParties')
    .set({ depositAt })
    .where('exchangeId', '=', exchangeId)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Whether one of these people is still new (decisions 3.16). */
export async function hasNewcomer(db: Database | Trx, userIds: readonly number[]): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<number>`any(${[...userIds]}::integer[])`)
    .where('establishedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** What these coupons are worth: hundredths, and of which kind. */
export async function listWorths(trx: Trx, couponIds: readonly number[]) {
  return trx
    .selectFrom('coupons')
    .select(['id', 'discountType', 'value'])
    .where('id', '=', sql<number>`any(${[...couponIds]}::integer[])`)
    .execute();
}
