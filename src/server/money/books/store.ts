import { sql } from 'kysely';
import { type Cents, signedDecimal } from '#contract/base/money.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  JOURNALS,
  type JournalKind,
  type LedgerAccount,
  type LedgerEntry,
  NO_TOTALS,
  type Totals,
} from './rules.ts';

/**
 * Books a change of one total. A second change under the same number is refused by the database.
 * @param change amounts are signed cents
 */
export async function insertJournal(
  trx: Trx,
  change: {
    kind: JournalKind;
    otherPaymentId?: number;
    amount: Cents;
    feeAmount: Cents;
    at: Date;
  } & ({ paymentId: number } | { depositId: number }),
  entries: readonly LedgerEntry[],
): Promise<void> {
  const { kind, otherPaymentId, at } = change;
  const subject =
    'paymentId' in change
      ? { paymentId: change.paymentId, depositId: null }
      : { paymentId: null, depositId: change.depositId };
  const { id } = await trx
    .insertInto('ledgerJournals')
    .values({
      kind,
      ...subject,
      otherPaymentId: otherPaymentId ?? null,
      amount: signedDecimal(change.amount),
      feeAmount: signedDecimal(change.feeAmount),
      sequence: sql<number>`(
        select count(*) + 1 from ledger_journals where ${
          subject.depositId === null
            ? sql`payment_id = ${subject.paymentId}`
            : sql`deposit_id = ${subject.depositId}`
        } and kind = ${kind})`,
      createdAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lines: { journalId: number; accountId: number; amount: string }[] = [];
  for (const { account, amount } of entries) {
    lines.push({ journalId: id, accountId: await accountIdOf(trx, account), amount: signedDecimal(amount) });
  }
  await trx.insertInto('ledgerEntries').values(lines).execute();
}

export interface TotalOfKind {
  readonly kind: JournalKind;
  readonly cents: Cents;
  readonly feeCents: Cents;
}

/** The totals that are booked, by payment. */
export async function readTotalsOf(
  db: Database | Trx,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, Totals>> {
  const { rows } = await sql<TotalOfKind & { paymentId: number }>`
    select payment_id, kind, (sum(amount) * 100)::integer as cents, (sum(fee_amount) * 100)::integer as fee_cents
    from ledger_journals where payment_id = any(${paymentIds}) group by payment_id, kind`.execute(db);
  return new Map(paymentIds.map((id) => [id, totalsOf(rows.filter(({ paymentId }) => paymentId === id))]));
}

/** The totals of a payment that are booked. */
export async function readTotals(db: Database | Trx, paymentId: number): Promise<Totals> {
  return (await readTotalsOf(db, [paymentId])).get(paymentId) ?? NO_TOTALS;
}

export function totalsOf(rows: readonly TotalOfKind[]): Totals {
  const of = (kind: JournalKind) => rows.find((row) => row.kind === kind);
  const totals = Object.fromEntries(JOURNALS.map(([kind, total]) => [total, of(kind)?.cents ?? 0]));
  return { ...NO_TOTALS, ...totals, feesRefunded: of('refund')?.feeCents ?? 0 };
}

/** Opens the account on first use. */
async function accountIdOf(trx: Trx, account: LedgerAccount): Promise<number> {
  const provider = 'provider' in account ? account.provider : null;
  const userId = 'userId' in account ? account.userId : null;
  const find = () =>
    trx
      .selectFrom('ledgerAccounts')
      .select('id')
      .where('kind', '=', account.kind)
      .where('provider', 'is not distinct from', provider)
      .where('userId', 'is not distinct from', userId)
      .executeTakeFirst();
  const known = await find();
  if (known) return known.id;
  await trx
    .insertInto('ledgerAccounts')
    .values({ kind: account.kind, provider, userId })
    .onConflict((conflict) => conflict.columns(['kind', 'provider', 'userId']).doNothing())
    .execute();
  // A separate statement, so that it sees an account that another transaction has just opened.
  const opened = await find();
  if (!opened) throw new Error(`The ledger has no account ${account.kind}`);
  return opened.id;
}
