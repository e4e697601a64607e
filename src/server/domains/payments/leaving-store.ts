import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** Of somebody's money, bought or sold: the claims that are open, and the payments that are not at their end. */
export async function countUnderWay(trx: Trx, userId: number): Promise<{ claims: number; payments: number }> {
  const found = await sql<{ claims: number; payments: number }>`
    select count(*) as payments, count(*) filter (where exists (
      select from payment_claims where payment_id = under_way.id and payment_claims.status = 'open')) as claims
    from (
      select id from payment_transactions where sender_id = ${userId} and (
        status in ('processing', 'held', 'releasing', 'refunding') or is_disputed)
      union
      select id from payment_transactions where receiver_id = ${userId} and (
        status in ('processing', 'held', 'releasing', 'refunding') or is_disputed)) as under_way`.execute(
    trx,
  );
  return found.rows[0] ?? { claims: 0, payments: 0 };
}

/** Up to `limit` cards that are still kept of people who have left; of one of them if named. */
export async function listCardsLeft(db: Database, limit: number, userId?: number) {
  return db
    .selectFrom('paymentMethods')
    .innerJoin('users', 'users.id', 'paymentMethods.userId')
    .select(['paymentMethods.id', 'paymentMethods.tokenizedDetails', 'paymentMethods.userId'])
    .where('users.deletedAt', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('users.id', '=', userId ?? 0))
    .orderBy('paymentMethods.id')
    .limit(limit)
    .execute();
}

/** A payment made with the card does not know it any more. */
export async function deleteCardLeft(db: Database, id: number): Promise<void> {
  await db.deleteFrom('paymentMethods').where('id', '=', id).execute();
}
