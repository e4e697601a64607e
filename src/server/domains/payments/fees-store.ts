import { sql } from 'kysely';
import type { PaymentStatus } from '#contract/payments.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';

/** Paid and not refunded. */
export async function countProcessed(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('paymentTransactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', 'in', ['held', 'releasing', 'completed'])
    .executeTakeFirstOrThrow();
  return count;
}

function paidSince(db: Database, since: Date | null) {
  return db
    .selectFrom('paymentTransactions')
    .where('paidAt', 'is not', null)
    .$if(since !== null, (query) => query.where('paidAt', '>=', since));
}

function selectFees(db: Database, since: Date | null) {
  return paidSince(db, since)
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
    .orderBy('paymentTransactions.id', 'desc');
}

export type FeeRow = Awaited<ReturnType<typeof readFees>>[number];

export async function listFees(db: Database, since: Date | null, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const rows = await selectFees(db, since).limit(paging.limit).offset(offset).execute();
  return { rows, ...(await cappedTotal(db, paidSince(db, since).select('id'), COUNT_CAP)) };
}

/** Up to `limit` rows after a payment, or the first ones. Keyset paging: each portion costs the same. */
export async function readFees(
  db: Database,
  { since, afterId, limit }: { since: Date | null; afterId: number | null; limit: number },
) {
  return selectFees(db, since)
    .$if(afterId !== null, (query) =>
      query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('paymentTransactions.paidAt', 'paymentTransactions.id'),
          '<',
          selectFrom('paymentTransactions as last')
            .select(['last.paidAt', 'last.id'])
            .where('last.id', '=', afterId ?? 0)
            .$narrowType<{ paidAt: Date }>()
            .$asTuple('paidAt', 'id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
}

/**
 * Weekly fees of payments that were not refunded, for weeks starting on the Mondays (UTC) `first` to `last`. Empty
 * weeks have a row too.
 */
export async function sumWeeks(
  db: Database,
  { first, last }: { first: string; last: string },
): Promise<{ week: string; fees: string; sales: number }[]> {
  const summed = await sql<{ week: string; fees: string; sales: number }>`
    select weeks.week::date as week, count(paid.id) as sales,
      coalesce(sum(paid.platform_fee), 0)::numeric(10, 2)::text as fees
    from generate_series(${first}::timestamp, ${last}::timestamp, interval '7 days') as weeks (week)
    left join payment_transactions as paid on paid.status in ('held', 'releasing', 'completed')
      and paid.paid_at >= weeks.week at time zone 'UTC'
      and paid.paid_at < (weeks.week + interval '7 days') at time zone 'UTC'
    group by weeks.week order by weeks.week`.execute(db);
  return summed.rows;
}

/** History lines about money, newest first. */
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
