import type { PaymentStatus } from '#contract/payments.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';

/** Payments that were paid and not given back. */
export async function countProcessed(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('paymentTransactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', 'in', ['held', 'releasing', 'completed'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Paid payments since an instant, newest first. */
export async function listFees(db: Database, since: Date | null, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const paid = db
    .selectFrom('paymentTransactions')
    .where('paidAt', 'is not', null)
    .$if(since !== null, (query) => query.where('paidAt', '>=', since));
  const rows = await paid
    .innerJoin('bids', 'bids.id', 'paymentTransactions.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .innerJoin('users as buyer', 'buyer.id', 'paymentTransactions.senderId')
    .innerJoin('users as seller', 'seller.id', 'paymentTransactions.receiverId')
    .select(['paymentTransactions.id', 'paymentTransactions.paidAt', 'paymentTransactions.amount'])
    .select(['paymentTransactions.platformFee as fee', 'paymentTransactions.status'])
    .select(['coupons.title as couponTitle', 'buyer.username as buyerUsername'])
    .select('seller.username as sellerUsername')
    .$narrowType<{ status: PaymentStatus; paidAt: Date }>()
    .orderBy('paymentTransactions.paidAt', 'desc')
    .orderBy('paymentTransactions.id', 'desc')
    .limit(paging.limit)
    .offset(offset)
    .execute();
  return { rows, ...(await cappedTotal(db, paid.select('id'), COUNT_CAP)) };
}

/** The lines of history that tell of money, newest first. */
export async function listFeeLogs(db: Database, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const lines = db
    .selectFrom('transactionLogs')
    .where('transactionLogs.paymentId', 'is not', null)
    .where('transactionLogs.action', 'in', ['payment', 'refund']);
  const rows = await lines
    .innerJoin('users', 'users.id', 'transactionLogs.userId')
    .select(['transactionLogs.id', 'transactionLogs.createdAt', 'users.username'])
    .select(['transactionLogs.action', 'transactionLogs.details'])
    .orderBy('transactionLogs.id', 'desc')
    .limit(paging.limit)
    .offset(offset)
    .execute();
  return { rows, ...(await cappedTotal(db, lines.select('transactionLogs.id'), COUNT_CAP)) };
}
