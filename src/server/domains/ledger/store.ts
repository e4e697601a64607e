import { type RawBuilder, sql } from 'kysely';
import { type Cents, centsToDecimal } from '#contract/money.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { JournalKind, LedgerAccount, LedgerEntry } from './rules.ts';

/** A signed decimal string for numeric columns: -350 -> '-3.50'. */
function toDecimal(cents: Cents): string {
  return cents < 0 ? `-${centsToDecimal(-cents)}` : centsToDecimal(cents);
}

/** @returns the journal's id; null when it was booked before */
export async function insertJournal(
  trx: Trx,
  journal: { kind: JournalKind; paymentId: number; sourceRef: string; at: Date },
): Promise<number | null> {
  const { at, ...columns } = journal;
  const row = await trx
    .insertInto('ledgerJournals')
    .values({ ...columns, createdAt: at })
    .onConflict((conflict) => conflict.columns(['kind', 'sourceRef']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertEntries(
  trx: Trx,
  journalId: number,
  entries: readonly LedgerEntry[],
): Promise<void> {
  for (const { account, amount } of entries) {
    const accountId = await accountIdOf(trx, account);
    await trx
      .insertInto('ledgerEntries')
      .values({ journalId, accountId, amount: toDecimal(amount) })
      .execute();
  }
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

export async function sumOfFees(db: Database): Promise<string> {
  const { total } = await db
    .selectFrom('ledgerEntries')
    .innerJoin('ledgerAccounts', 'ledgerAccounts.id', 'ledgerEntries.accountId')
    .select(sql<string>`coalesce(-sum(amount), 0.00)::numeric(12, 2)::text`.as('total'))
    .where('ledgerAccounts.kind', '=', 'platform_fees')
    .executeTakeFirstOrThrow();
  return total;
}

/** Sums of one payment's entries by journal kind and account kind. */
const BOOKED = sql`
  select j.payment_id, j.kind as journal, a.kind as account, sum(e.amount) as amount, count(distinct j.id) as journals
  from ledger_journals j join ledger_entries e on e.journal_id = j.id join ledger_accounts a on a.id = e.account_id
  group by j.payment_id, j.kind, a.kind`;

/** Each rule as a query for the rows that break it. */
const RULES: Record<string, RawBuilder<unknown>> = {
  'all entries together add up to nothing': sql`
    select sum(amount) as sum from ledger_entries having sum(amount) <> 0`,

  'every journal has entries that add up to nothing': sql`
    select j.id, j.kind, sum(e.amount) as sum from ledger_journals j left join ledger_entries e on e.journal_id = j.id
    group by j.id having count(e.id) < 2 or sum(e.amount) <> 0`,

  'every paid payment is captured once, to the cent, and no other payment is': sql`
    with captured as (
      select j.payment_id, count(distinct j.id) as journals,
        sum(e.amount) filter (where a.kind = 'provider_clearing') as clearing,
        sum(e.amount) filter (where a.kind = 'seller_payable' and a.user_id = p.receiver_id) as seller,
        sum(e.amount) filter (where a.kind = 'platform_fees') as fees
      from ledger_journals j join payment_transactions p on p.id = j.payment_id
      join ledger_entries e on e.journal_id = j.id join ledger_accounts a on a.id = e.account_id
      where j.kind = 'capture' group by j.payment_id)
    select p.id, p.status, c.* from payment_transactions p left join captured c on c.payment_id = p.id
    where (p.paid_at is not null) <> (c.payment_id is not null)
      or (c.payment_id is not null and (c.journals, c.clearing, c.seller, coalesce(c.fees, 0))
        is distinct from (1, p.amount + p.buyer_fee, -p.net_amount, -p.platform_fee))`,

  'every completed payment is paid out once, and none that is held or given back': sql`
    with paid as (
      select payment_id, max(journals) as journals, -sum(amount) filter (where account = 'provider_clearing') as amount
      from (${BOOKED}) booked where journal = 'payout' group by payment_id)
    select p.id, p.status, paid.* from payment_transactions p left join paid on paid.payment_id = p.id
    where (p.status = 'completed' and paid.payment_id is null)
      or (p.status not in ('completed', 'charged_back') and paid.payment_id is not null)
      or paid.journals <> 1
      or paid.amount <> p.net_amount - case p.provider when 'paypal' then coalesce(p.provider_fee, 0) else 0 end`,

  'every refunded payment is given back once, whole, and no other is': sql`
    with back as (
      select payment_id, max(journals) as journals, -sum(amount) filter (where account = 'provider_clearing') as amount
      from (${BOOKED}) booked where journal = 'refund' group by payment_id)
    select p.id, p.status, back.* from payment_transactions p left join back on back.payment_id = p.id
    where (p.status = 'refunded') <> (back.payment_id is not null) or back.journals <> 1
      or back.amount <> p.amount + p.buyer_fee`,

  'every charge-back is booked as lost, and nothing else is': sql`
    select p.id, p.status from payment_transactions p
    where (p.status = 'charged_back') <> exists (
      select from ledger_journals j where j.payment_id = p.id and j.kind = 'dispute_lost')`,

  'what is owed to the seller of each payment is what its state says': sql`
    with owed as (
      select payment_id, coalesce(-sum(amount) filter (where account = 'seller_payable'), 0) as amount
      from (${BOOKED}) booked group by payment_id)
    select p.id, p.status, owed.amount from payment_transactions p join owed on owed.payment_id = p.id
    where p.status <> 'charged_back' and owed.amount <> case
      when p.status in ('held', 'releasing', 'refunding')
        then p.net_amount - case p.provider when 'paypal' then coalesce(p.provider_fee, 0) else 0 end
      else 0 end`,

  'what a dispute holds back is back when it ends': sql`
    with held as (select payment_id, sum(amount) as amount from (${BOOKED}) booked
      where account = 'disputes' group by payment_id)
    select p.id, p.status, held.amount from payment_transactions p left join held on held.payment_id = p.id
    where coalesce(held.amount, 0) <> case when p.is_disputed then p.amount + p.buyer_fee else 0 end`,

  'every sale has moved its coupon once, every refunded one back': sql`
    select p.id, p.status, count(t.id) as moves from payment_transactions p
    left join coupon_transfers t on t.bid_id = p.bid_id
    where p.paid_at is not null group by p.id
    having (p.status in ('held', 'releasing', 'completed') and count(t.id) <> 1)
      or (p.status = 'refunded' and count(t.id) not in (0, 2))`,

  'no account is without entries': sql`
    select a.* from ledger_accounts a where not exists (select from ledger_entries e where e.account_id = a.id)`,
};

/** Gives the transaction one consistent snapshot. Call it first. */
export async function useSnapshot(trx: Trx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
}

/** The broken rules with their first 20 offending rows. */
export async function checkBooks(db: Database): Promise<{ rule: string; rows: unknown[] }[]> {
  const broken = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) broken.push({ rule, rows: rows.slice(0, 20) });
  }
  return broken;
}

export async function countBooks(
  db: Database,
): Promise<{ payments: number; journals: number; entries: number }> {
  const { rows } = await sql<{ payments: number; journals: number; entries: number }>`
    select (select count(*) from payment_transactions) as payments, (select count(*) from ledger_journals) as journals,
      (select count(*) from ledger_entries) as entries`.execute(db);
  return rows[0] ?? { payments: 0, journals: 0, entries: 0 };
}
