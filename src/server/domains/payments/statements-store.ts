import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { Database } from '#server/database/client.ts';
import { type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import type { JournalKind } from '../ledger/service.ts';

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

const OLDEST: ListOrder = { name: 'seller statement', direction: 'asc', by: [['id', 'integer']] };

export type StatementRow = Awaited<ReturnType<typeof readMonth>>['rows'][number];

/** A page of the lines of a month, oldest first, without a count. `id` is that of the ledger's entry. */
export async function readMonth(db: Database, { userId, from, to }: SellerMonth, paging: Paging) {
  const page = openPage(paging, OLDEST, COUNT_CAP);
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
    .$narrowType<{ kind: JournalKind }>();
  return page.finish(await page.select(lines, 'entry').execute());
}
