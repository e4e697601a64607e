import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { Database } from '#server/database/client.ts';
import { type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

const OLDEST: ListOrder = {
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
  const page = openPage(paging, OLDEST, COUNT_CAP);
  const entries = db
    .selectFrom('ledgerJournals as journal')
    .innerJoin('ledgerEntries as entry', 'entry.journalId', 'journal.id')
    .innerJoin('ledgerAccounts as account', 'account.id', 'entry.accountId')
    .leftJoin('users', 'users.id', 'account.userId')
    .select(['entry.id', 'entry.journalId', 'journal.createdAt', 'journal.kind as journal'])
    .select(['journal.paymentId', 'account.kind as account', 'account.provider', 'users.username'])
    .select('entry.amount')
    .where('journal.createdAt', '>=', from)
    .where('journal.createdAt', '<', to);
  return page.finish(await page.select(entries).execute());
}
