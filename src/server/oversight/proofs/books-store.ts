import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** Counts of a time; medians in hours, with how many they are of. */
export interface PeriodRow {
  readonly swaps: number;
  readonly sales: number;
  readonly claims: number;
  readonly granted: number;
  readonly declined: number;
  readonly withdrawn: number;
  readonly open: number;
  readonly answers: number;
  readonly hoursToAnswer: number | null;
  readonly decisions: number;
  readonly hoursToDecide: number | null;
  readonly hoursOldest: number | null;
}

/** Completed deals and claims that count, since an instant. A sale counts when its coupon has changed hands. */
export async function countPeriod(db: Database | Trx, since: Date, now: Date): Promise<PeriodRow> {
  const hours = (from: string, to: string) => sql`
    percentile_cont(0.5) within group (order by extract(epoch from ${sql.ref(to)} - ${sql.ref(from)}) / 3600)`;
  const { rows } = await sql<PeriodRow>`
    select
      (select count(distinct exchange_id) from counted_deals where completed_at >= ${since})::integer as swaps,
      (select count(*) from counted_payments where paid_at >= ${since} and exchange_id is null)::integer as sales,
      count(*)::integer as claims,
      count(*) filter (where status in ('refunded', 'upheld'))::integer as granted,
      count(*) filter (where status in ('released', 'refused'))::integer as declined,
      count(*) filter (where status = 'withdrawn')::integer as withdrawn,
      count(*) filter (where status = 'open')::integer as open,
      count(answered_at)::integer as answers,
      (${hours('createdAt', 'answeredAt')} filter (where answered_at is not null))::float8 as hours_to_answer,
      count(decided_at) filter (where status <> 'withdrawn')::integer as decisions,
      (${hours('createdAt', 'decidedAt')} filter (where decided_at is not null and status <> 'withdrawn'))::float8
        as hours_to_decide,
      (max(extract(epoch from ${now}::timestamptz - created_at) / 3600) filter (where status = 'open'))::float8 as hours_oldest
    from counted_claims where created_at >= ${since}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A sum has no row');
  return row;
}

/** What the ledger says of sales by where they are; amounts are decimals of the base currency. */
export interface MoneyRow {
  readonly salesHeld: number;
  readonly heldAmount: string;
  readonly payoutsWaiting: number;
  readonly payoutsAmount: string;
  /** Null: the ledger has no reserve. */
  readonly reserve: string | null;
}

export async function sumMoney(db: Database | Trx): Promise<MoneyRow> {
  const { rows } = await sql<MoneyRow>`
    with sale as (
      select payment.id, payment.status,
        (select coalesce(sum(amount), 0) from ledger_journals where payment_id = payment.id and kind = 'capture') as captured,
        (select coalesce(-sum(entry.amount), 0) from ledger_journals journal
          join ledger_entries entry on entry.journal_id = journal.id
          join ledger_accounts account on account.id = entry.account_id and account.kind = 'seller_payable'
          where journal.payment_id = payment.id) as due
      from payment_transactions payment where payment.status in ('held', 'releasing'))
    select count(*) filter (where status = 'held')::integer as sales_held,
      coalesce(sum(captured) filter (where status = 'held'), 0)::numeric(12, 2)::text as held_amount,
      count(*) filter (where status = 'releasing')::integer as payouts_waiting,
      coalesce(sum(due) filter (where status = 'releasing'), 0)::numeric(12, 2)::text as payouts_amount,
      (select coalesce(-sum(entry.amount), 0)::numeric(12, 2)::text from ledger_accounts account
        left join ledger_entries entry on entry.account_id = account.id
        where account.kind = 'reserve' having count(distinct account.id) > 0) as reserve
    from sale`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A sum has no row');
  return row;
}
