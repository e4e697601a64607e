import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { partsOf } from '#contract/base/tables.ts';
import type { FeeFilters, ListFeeLogsInput, PaymentStatus } from '#contract/money/payments.ts';
import type { Database } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { personNamed } from '#server/database/person-named.ts';
import type { JournalKind } from '#server/money/books/rules.ts';

/** A month of a seller: from its first instant (inclusive) to that of the next month. */
export interface SellerMonth {
  readonly userId: number;
  readonly from: Date;
  readonly to: Date;
}

const ENTRIES = sql`
  ledger_entries entry
  join ledger_accounts account on account.id = entry.account_id and account.kind = 'seller_payable'
  join ledger_journals journal on journal.id = entry.journal_id
  join payment_transactions payment on payment.id = journal.payment_id`;

/** What was owed to a seller before an instant, in cents. */
export async function balanceBefore(db: Database, userId: number, before: Date): Promise<number> {
  const found = await sql<{ cents: number }>`
    select (100 * coalesce(-sum(entry.amount), 0))::integer as cents
    from ${ENTRIES} where account.user_id = ${userId} and journal.created_at < ${before}`.execute(db);
  return found.rows[0]?.cents ?? 0;
}

/** The changes of a month by kind of journal, in cents; for sales also their fees, which are not in the change. */
export async function sumMonth(
  db: Database,
  { userId, from, to }: SellerMonth,
): Promise<{ kind: JournalKind; cents: number; fees: number }[]> {
  const found = await sql<{ kind: JournalKind; cents: number; fees: number }>`
    select journal.kind, (100 * -sum(entry.amount))::integer as cents,
      (100 * coalesce(sum(payment.seller_fee) filter (where journal.kind = 'capture'), 0))::integer as fees
    from ${ENTRIES}
    where account.user_id = ${userId} and journal.created_at >= ${from} and journal.created_at < ${to}
    group by journal.kind`.execute(db);
  return found.rows;
}

const STATEMENT: ListOrder = { name: 'seller statement', direction: 'asc', by: [['id', 'integer']] };

export type StatementRow = Awaited<ReturnType<typeof readMonth>>['rows'][number];

/** A page of the lines of a month, oldest first, without a count. `id` is that of the ledger's entry. */
export async function readMonth(db: Database, { userId, from, to }: SellerMonth, paging: Paging) {
  const page = openPage(paging, STATEMENT, COUNT_CAP);
  const lines = db
    .selectFrom('ledgerEntries as entry')
    .innerJoin('ledgerAccounts as account', 'account.id', 'entry.accountId')
    .innerJoin('ledgerJournals as journal', 'journal.id', 'entry.journalId')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'journal.paymentId')
    .innerJoin('bids', 'bids.id', 'payment.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select(['entry.id', 'journal.createdAt', 'journal.kind', 'journal.paymentId'])
    .select(['coupons.title as couponTitle', 'payment.amount', 'payment.sellerFee'])
    .select([
      sql<boolean>`journal.amount > 0`.as('isRise'),
      // What it changes in the balance.
      sql<number>`(100 * -entry.amount)::integer`.as('cents'),
    ])
    .where('account.kind', '=', 'seller_payable')
    .where('account.userId', '=', userId)
    .where('journal.createdAt', '>=', from)
    .where('journal.createdAt', '<', to)
    .$narrowType<{ kind: JournalKind; paymentId: number }>();
  return page.finish(await page.select(lines, 'entry').execute());
}

/** What ClipSwap has kept of one payment's fees, as the ledger says; null before anything is booked. */
const keptOf = (paymentId: string) => sql`
  select -sum(entry.amount) as fee
  from ledger_journals journal
  join ledger_entries entry on entry.journal_id = journal.id
  join ledger_accounts account on account.id = entry.account_id
  where account.kind = 'platform_fees' and journal.kind <> 'reserve' and journal.payment_id = ${sql.ref(paymentId)}`;

/** Which paid sales, and in which order. `since` null: of all time. */
type PaidFilters = Omit<FeeFilters, 'period'> & { readonly since: Date | null };

function filterPaid(db: Database, { since, status, person }: PaidFilters) {
  return db
    .selectFrom('paymentTransactions')
    .where('paidAt', 'is not', null)
    .$if(since !== null, (query) => query.where('paidAt', '>=', since))
    .$if(status !== undefined, (query) => query.where('paymentTransactions.status', '=', status ?? 'held'))
    .$if(person !== undefined && person !== '', (query) =>
      query.where((where) =>
        where.or([
          where('senderId', '=', personNamed(person ?? '')),
          where('receiverId', '=', personNamed(person ?? '')),
        ]),
      ),
    );
}

function selectFees(db: Database, filters: PaidFilters) {
  return filterPaid(db, filters)
    .innerJoin('bids', 'bids.id', 'paymentTransactions.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .innerJoin('users as buyer', 'buyer.id', 'paymentTransactions.senderId')
    .innerJoin('users as seller', 'seller.id', 'paymentTransactions.receiverId')
    .select(['paymentTransactions.id', 'paymentTransactions.paidAt', 'paymentTransactions.amount'])
    .select([
      sql<string>`coalesce((${keptOf('paymentTransactions.id')}), 0.00)::text`.as('fee'),
      'paymentTransactions.status',
    ])
    .select(['coupons.title as couponTitle', 'buyer.username as buyerUsername'])
    .select('seller.username as sellerUsername')
    .$narrowType<{ status: PaymentStatus; paidAt: Date }>();
}

/** What paid sales can be sorted by; an index carries each. */
const FEES: Record<'date' | 'amount', ListOrder['by']> = {
  date: [
    ['paidAt', 'timestamptz'],
    ['id', 'integer'],
  ],
  amount: [
    ['amount', 'numeric'],
    ['id', 'integer'],
  ],
};

export type FeeRow = Awaited<ReturnType<typeof readFees>>['rows'][number];

/** A page without a count, of any length. */
export async function readFees(db: Database, filters: PaidFilters, paging: Paging) {
  const sort = filters.sort ?? 'date-desc';
  const { column, direction } = partsOf(sort);
  const page = openPage(paging, { name: `fees ${sort}`, direction, by: FEES[column] }, COUNT_CAP);
  return page.finish(await page.select(selectFees(db, filters), 'paymentTransactions').execute());
}

export async function listFees(db: Database, filters: PaidFilters, paging: Paging) {
  const page = await readFees(db, filters, paging);
  return { ...page, ...(await cappedTotal(db, filterPaid(db, filters).select('id'), COUNT_CAP)) };
}

const moneyLines = (db: Database) =>
  db
    .selectFrom('transactionLogs')
    .where('transactionLogs.paymentId', 'is not', null)
    .where('transactionLogs.action', 'in', ['payment', 'refund']);

export type FeeLogRow = Awaited<ReturnType<typeof readFeeLogs>>['rows'][number];

/** A page of the history lines about money without a count, of any length. */
export async function readFeeLogs(db: Database, asked: ListFeeLogsInput['sort'], paging: Paging) {
  const sort = asked ?? 'date-desc';
  const { direction } = partsOf(sort);
  const page = openPage(paging, { name: `fee logs ${sort}`, direction, by: [['id', 'integer']] }, COUNT_CAP);
  const shown = moneyLines(db)
    .innerJoin('users', 'users.id', 'transactionLogs.userId')
    .select(['transactionLogs.id', 'transactionLogs.createdAt', 'users.username'])
    .select(['transactionLogs.action', 'transactionLogs.details', 'transactionLogs.text']);
  return page.finish(await page.select(shown, 'transactionLogs').execute());
}

export async function listFeeLogs(db: Database, sort: ListFeeLogsInput['sort'], paging: Paging) {
  const counted = moneyLines(db).select('transactionLogs.id');
  return { ...(await readFeeLogs(db, sort, paging)), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

const JOURNALS: ListOrder = {
  name: 'journals',
  direction: 'asc',
  by: [
    [sql.ref('journal.createdAt'), 'timestamptz'],
    [sql.ref('journal.id'), 'integer'],
    [sql.ref('entry.id'), 'integer'],
  ],
};

/** A page of the entries booked from `from` to before `to`, by journal, oldest first, without a count. */
export async function readEntries(db: Database, { from, to }: { from: Date; to: Date }, paging: Paging) {
  const page = openPage(paging, JOURNALS, COUNT_CAP);
  const entries = db
    .selectFrom('ledgerJournals as journal')
    .innerJoin('ledgerEntries as entry', 'entry.journalId', 'journal.id')
    .innerJoin('ledgerAccounts as account', 'account.id', 'entry.accountId')
    .leftJoin('users', 'users.id', 'account.userId')
    .select(['entry.id', 'entry.journalId', 'journal.createdAt', 'journal.kind as journal'])
    .select([
      'journal.paymentId',
      'journal.depositId',
      'account.kind as account',
      'account.provider',
      'users.username',
    ])
    .select('entry.amount')
    .where('journal.createdAt', '>=', from)
    .where('journal.createdAt', '<', to)
    // The index of times begins there; to compare all keys, which are of two tables, it would begin at the first day.
    .$if(page.values !== undefined, (query) =>
      query.where(sql<boolean>`journal.created_at ${page.beyond}= ${page.values?.[0]}`),
    );
  return page.finish(await page.select(entries).execute());
}
