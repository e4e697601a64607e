import type { Database, Trx } from '#server/database/client.ts';
import { holdDeadline } from '../deadlines.ts';

/** Open claims about sales by PayPal that were paid before an instant, oldest first. @param isNew not yet reminded of */
export async function listLateClaims(
  db: Database,
  { paidBefore, isNew, limit }: { paidBefore: Date; isNew: boolean; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('claims as claim')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'claim.paymentId')
    .select('payment.id')
    .where('claim.status', '=', 'open')
    .where('payment.provider', '=', 'paypal')
    .where('payment.status', '=', 'held')
    .where('payment.isDisputed', '=', false)
    .where('payment.paidAt', '<=', paidBefore)
    .$if(isNew, (query) => query.where('claim.remindedAt', 'is', null))
    .orderBy('payment.paidAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Payments that were made before an instant and are held only because their buyer could not act; without an open claim or
 * dispute. An admin is asked once.
 */
export async function listUnheard(
  db: Database,
  { now, paidBefore, limit }: { now: Date; paidBefore: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('paymentTransactions as payment')
    .select('payment.id')
    .where('payment.status', '=', 'held')
    .where('payment.isDisputed', '=', false)
    .where('payment.holdUntil', '<=', now)
    .where('payment.paidAt', '<=', paidBefore)
    .where(holdDeadline('payment'), '>', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('claims')
            .select('claims.id')
            .whereRef('claims.paymentId', '=', 'payment.id')
            .where('claims.status', '=', 'open'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('paymentActs')
            .select('paymentActs.paymentId')
            .whereRef('paymentActs.paymentId', '=', 'payment.id')
            .where('paymentActs.act', '=', 'review'),
        ),
      ),
    )
    .orderBy('payment.paidAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Compare-and-set. @returns false when it was done before */
export async function markReminded(trx: Trx, paymentId: number, at: Date): Promise<boolean> {
  const marked = await trx
    .updateTable('claims')
    .set({ remindedAt: at })
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'open')
    .where('remindedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Those who may decide a claim. @param parties to the sale, who may not */
export async function listDeciders(trx: Trx, parties: readonly number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', 'in', ['moderator', 'admin'])
    .where('status', 'not in', ['suspended', 'banned'])
    .where('deletedAt', 'is', null)
    .where('id', 'not in', parties)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
