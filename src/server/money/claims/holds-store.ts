import type { Database } from '#server/database/client.ts';
import { holdDeadline } from '#server/deals/lifecycle/deadlines-sql.ts';

/** Held payments whose hold is over, without an open claim or dispute. */
export async function listHoldsOver(db: Database, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('paymentTransactions')
    .select('id')
    .where('status', '=', 'held')
    .where('holdUntil', '<=', now)
    .where(holdDeadline('paymentTransactions'), '<=', now)
    .where('isDisputed', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('claims')
            .select('claims.id')
            .whereRef('claims.paidBidId', '=', 'paymentTransactions.bidId')
            .where('claims.status', '=', 'open'),
        ),
      ),
    )
    .orderBy('holdUntil')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Open claims about what was paid by PayPal that were paid before an instant, oldest first. */
export async function listLateClaims(
  db: Database,
  { paidBefore, limit }: { paidBefore: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('claims as claim')
    .innerJoin('paymentTransactions as payment', 'payment.bidId', 'claim.paidBidId')
    .select('payment.id')
    .where('claim.status', '=', 'open')
    .where('payment.provider', '=', 'paypal')
    .where('payment.status', '=', 'held')
    .where('payment.isDisputed', '=', false)
    .where('payment.paidAt', '<=', paidBefore)
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
            .whereRef('claims.paidBidId', '=', 'payment.bidId')
            .where('claims.status', '=', 'open'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('providerOperations')
            .select('providerOperations.paymentId')
            .whereRef('providerOperations.paymentId', '=', 'payment.id')
            .where('providerOperations.kind', '=', 'review'),
        ),
      ),
    )
    .orderBy('payment.paidAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
