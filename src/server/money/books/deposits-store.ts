import { sql } from 'kysely';
import type { Cents } from '#contract/base/money.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  DEPOSIT_JOURNALS,
  type DepositTotals,
  depositBalancesOf,
  depositDifference,
  NO_DEPOSIT_TOTALS,
} from './deposit-rules.ts';
import type { JournalKind } from './rules.ts';
import { insertJournal } from './store.ts';

interface KindSum {
  readonly depositId: number;
  readonly kind: JournalKind;
  readonly cents: Cents;
}

function totalsOf(rows: readonly Pick<KindSum, 'kind' | 'cents'>[]): DepositTotals {
  const of = (kind: JournalKind) => rows.find((row) => row.kind === kind)?.cents ?? 0;
  const totals = Object.fromEntries(DEPOSIT_JOURNALS.map(([kind, total]) => [total, of(kind)]));
  return { ...NO_DEPOSIT_TOTALS, ...totals };
}

/** The sums that are booked, by deposit and kind. */
export async function sumDepositJournals(
  db: Database | Trx,
  depositIds: readonly number[],
): Promise<KindSum[]> {
  const { rows } = await sql<KindSum>`
    select deposit_id, kind, (sum(amount) * 100)::integer as cents from ledger_journals
    where deposit_id = any(${[...depositIds]}::integer[]) group by deposit_id, kind`.execute(db);
  return rows;
}

/** The totals of a deposit that are booked. */
export async function readDepositTotals(db: Database | Trx, depositId: number): Promise<DepositTotals> {
  return totalsOf(await sumDepositJournals(db, [depositId]));
}

/**
 * Books how a deposit's totals differ from what is booked, one journal for each total that has moved. Booking the same
 * totals again does nothing. The caller holds the deposit's lock.
 */
export async function bookDeposit(
  trx: Trx,
  { depositId, totals, at }: { depositId: number; totals: DepositTotals; at: Date },
): Promise<void> {
  let booked = await readDepositTotals(trx, depositId);
  for (const [kind, total] of DEPOSIT_JOURNALS) {
    const next = { ...booked, [total]: totals[total] };
    const entries = depositDifference(booked, next);
    if (entries.length === 0) continue;
    const change = { kind, depositId, amount: next[total] - booked[total], feeAmount: 0, at };
    await insertJournal(trx, change, entries);
    booked = next;
  }
}

/** Each rule about deposits as a query for the rows that break it. */
export const DEPOSIT_RULES = {
  'every captured deposit is captured to the cent, and no other is': sql`
    select d.id, d.status, t.captured from deposits d left join (
      select deposit_id, sum(amount) as captured from ledger_journals where kind = 'capture' group by deposit_id) t
      on t.deposit_id = d.id
    where coalesce(t.captured, 0) <> case when d.captured_at is null then 0 else d.amount end`,

  'a deposit that has ended is where it belongs, and nothing of it is left with us': sql`
    select d.id, d.status, t.refunded, t.paid, t.held from deposits d join (
      select j.deposit_id, coalesce(sum(j.amount) filter (where j.kind = 'refund'), 0) as refunded,
        coalesce(sum(j.amount) filter (where j.kind = 'payout'), 0) as paid, (
          select coalesce(-sum(e.amount), 0) from ledger_entries e join ledger_accounts a on a.id = e.account_id
          join ledger_journals mine on mine.id = e.journal_id
          where a.kind = 'deposits' and mine.deposit_id = j.deposit_id) as held
      from ledger_journals j where j.deposit_id is not null group by j.deposit_id) t on t.deposit_id = d.id
    where d.status = 'refunded' and t.refunded <> d.amount or d.status = 'paid_out' and t.paid <> d.amount
      or d.ended_at is not null and t.held <> 0 or t.refunded > 0 and t.paid > 0`,

  'a deposit is captured by a claim against whoever put it up alone, and paid out by a granted one': sql`
    select d.id, d.status from deposits d where d.captured_at is not null and not exists (
        select from claims c where c.exchange_id = d.exchange_id and c.giver_id = d.user_id)
      or d.status = 'paid_out' and not exists (
        select from claims c where c.exchange_id = d.exchange_id and c.giver_id = d.user_id
          and c.claimant_id = d.receiver_id and c.status = 'upheld')`,
} as const;

interface BooksOfDeposit {
  readonly id: number;
  readonly balances: { kind: string; provider: string | null; cents: number }[] | null;
}

/** Deposits whose balances differ from what follows from their totals. */
export async function findWrongDeposits(db: Database): Promise<unknown[]> {
  const { rows } = await sql<BooksOfDeposit>`
    select d.id, (select json_agg(json_build_object('kind', kind, 'provider', provider, 'cents', cents)) from (
        select a.kind, a.provider, (sum(e.amount) * 100)::integer as cents
        from ledger_journals j join ledger_entries e on e.journal_id = j.id
        join ledger_accounts a on a.id = e.account_id where j.deposit_id = d.id
        group by a.id having sum(e.amount) <> 0) as balance) as balances
    from deposits d where exists (select from ledger_journals where deposit_id = d.id)`.execute(db);
  const sums = await sumDepositJournals(
    db,
    rows.map(({ id }) => id),
  );
  const wordsOf = (kind: string, provider: string | null, cents: number) => [kind, provider, cents].join();
  return rows.filter(({ id, balances }) => {
    const found = (balances ?? []).map(({ kind, provider, cents }) => wordsOf(kind, provider, cents));
    const due = depositBalancesOf(totalsOf(sums.filter(({ depositId }) => depositId === id)))
      .filter(({ amount }) => amount !== 0)
      .map(({ account, amount }) =>
        wordsOf(account.kind, 'provider' in account ? account.provider : null, amount),
      );
    return found.sort().join(' ') !== due.sort().join(' ');
  });
}
