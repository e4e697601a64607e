import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import { DEPOSIT_RULES, findWrongDeposits } from './deposits-store.ts';
import { type BookedPayment, balancesOf } from './rules.ts';
import { type TotalOfKind, totalsOf } from './store.ts';

/* The rules that the books always keep. */

/** The totals of each payment in decimals of the base currency. */
const TOTALS = sql`
  select payment_id,
    coalesce(sum(amount) filter (where kind = 'capture'), 0) as captured,
    coalesce(sum(amount) filter (where kind = 'provider_fee'), 0) as provider_fees,
    coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
    coalesce(sum(amount) filter (where kind = 'withdrawal'), 0) as withdrawn,
    coalesce(sum(amount) filter (where kind = 'loss'), 0) as lost,
    coalesce(sum(amount) filter (where kind = 'payout'), 0) as transferred,
    coalesce(sum(amount) filter (where kind = 'payout_reversal'), 0) as reversed,
    coalesce(sum(amount) filter (where kind = 'collection'), 0) as collected,
    coalesce(sum(amount) filter (where kind = 'write_off'), 0) as written_off,
    coalesce(sum(amount) filter (where kind = 'award'), 0) as awarded,
    coalesce(sum(amount) filter (where kind = 'reserve'), 0) as reserved,
    coalesce(sum(amount) filter (where kind = 'cover'), 0) as covered
  from ledger_journals where payment_id is not null group by payment_id`;

/** Each rule as a query for the rows that break it. */
const RULES: Record<string, RawBuilder<unknown>> = {
  ...DEPOSIT_RULES,

  'all entries together add up to nothing': sql`
    select sum(amount) as sum from ledger_entries having sum(amount) <> 0`,

  'every journal has entries that add up to nothing': sql`
    select j.id, j.kind, sum(e.amount) as sum from ledger_journals j left join ledger_entries e on e.journal_id = j.id
    group by j.id having count(e.id) < 2 or sum(e.amount) <> 0`,

  'the changes of each total are numbered from 1 without a gap': sql`
    select payment_id, deposit_id, kind from ledger_journals group by payment_id, deposit_id, kind
    having count(*) <> max(sequence) or min(sequence) <> 1`,

  'every paid payment is captured to the cent, and no other payment is': sql`
    select p.id, p.status, t.captured from payment_transactions p left join (${TOTALS}) t on t.payment_id = p.id
    where coalesce(t.captured, 0) <> case when p.paid_at is null then 0 else p.amount + p.buyer_fee end`,

  'no more is reversed than was paid out, decided than withdrawn, and refunded than captured': sql`
    select * from (${TOTALS}) t where least(captured, provider_fees, refunded, withdrawn, lost, transferred, reversed, collected,
        written_off, awarded, reserved, covered) < 0
      or reversed > transferred or lost > withdrawn or refunded > captured`,

  'what is kept back from a payout covers a debt of the same seller': sql`
    select o.* from (
      select payment_id, other_payment_id, sum(amount) as amount from ledger_journals where kind = 'offset'
      group by payment_id, other_payment_id) as o
    join payment_transactions p on p.id = o.payment_id join payment_transactions q on q.id = o.other_payment_id
    where p.receiver_id <> q.receiver_id or o.amount <> -coalesce((
      select sum(amount) from ledger_journals
      where kind = 'offset' and payment_id = o.other_payment_id and other_payment_id = o.payment_id), 0)`,

  // The list of debts looks for no others.
  'a seller owes only for payments with a refund, a loss, an award, or a total that changed again': sql`
    select j.payment_id, sum(e.amount) as owed from ledger_journals j
    join ledger_entries e on e.journal_id = j.id
    join ledger_accounts a on a.id = e.account_id and a.kind = 'seller_payable'
    group by j.payment_id having sum(e.amount) > 0 and not bool_or(j.kind in ('refund', 'loss', 'award') or j.sequence > 1)`,

  'no money has gone to the seller of a sale that is held': sql`
    select p.id, t.transferred from payment_transactions p join (${TOTALS}) t on t.payment_id = p.id
    where p.status = 'held' and t.transferred > t.reversed and not exists (
      select from provider_operations a where a.payment_id = p.id and a.kind = 'review' and a.done_at is null)`,

  'a sale is refunded, or taken back by the bank, if all of its money is': sql`
    select p.id, p.status, t.refunded, t.lost from payment_transactions p
    join (${TOTALS}) t on t.payment_id = p.id
    where (p.status = 'refunded' and t.refunded + t.lost < t.captured)
      or (p.status in ('held', 'releasing', 'completed', 'refunding') and t.refunded + t.lost >= t.captured)`,

  'what is still to be done for a payment has its operation': sql`
    select p.id, p.status from payment_transactions p
    where p.status in ('releasing', 'refunding') and not exists (
      select from provider_operations a where a.payment_id = p.id and a.done_at is null
        and a.kind = case p.status when 'releasing' then 'payout' else 'refund' end)`,

  'every sale has moved its coupon once, and back at most once if it was undone': sql`
    select p.id, p.status, count(t.id) as moves from payment_transactions p
    join bids b on b.id = p.bid_id and b.exchange_id is null left join coupon_transfers t on t.bid_id = b.id
    where p.paid_at is not null group by p.id
    having (p.status in ('held', 'releasing', 'completed') and count(t.id) <> 1)
      or (p.status in ('refunding', 'refunded', 'charged_back') and count(t.id) > 2)`,

  'what is paid in an exchange is paid out only where it has moved the coupon': sql`
    select p.id, p.status, b.status as bid from payment_transactions p
    join bids b on b.id = p.bid_id and b.exchange_id is not null
    left join coupon_transfers t on t.exchange_id = b.exchange_id and t.coupon_id = b.coupon_id
    where p.status in ('releasing', 'completed') and t.id is null
      or p.status = 'held' and (p.hold_until is null) <> (t.id is null)`,

  'a late claim gives back all that was paid, and the sale is undone': sql`
    select p.id, p.status, t.awarded, t.captured from payment_transactions p join (${TOTALS}) t on t.payment_id = p.id
    where t.awarded <> 0 and (t.awarded <> t.captured or p.status not in ('refunding', 'refunded', 'charged_back'))`,

  'the reserve lays out money for late claims alone, and no more than their price': sql`
    select p.id, t.covered, t.awarded from payment_transactions p join (${TOTALS}) t on t.payment_id = p.id
    where t.covered > 0 and t.awarded = 0 or t.covered > p.net_amount`,

  'the reserve has its part of the fees of every final sale': sql`
    select p.id, p.reserve_percent, t.reserved, fees.kept from payment_transactions p
    join (${TOTALS}) t on t.payment_id = p.id
    join (select j.payment_id, -sum(e.amount) as kept from ledger_journals j
      join ledger_entries e on e.journal_id = j.id join ledger_accounts a on a.id = e.account_id
      where a.kind = 'platform_fees' and j.kind <> 'reserve' group by j.payment_id) as fees on fees.payment_id = p.id
    where t.reserved < trunc(fees.kept * p.reserve_percent / 100, 2) and p.status in ('releasing', 'completed')`,

  'the reserve holds what its entries say, and was never below zero': sql`
    select j.id as journal, moved.balance, reserve.balance as stored from guarantee_reserve reserve
    left join (
      select e.id, e.journal_id, sum(-e.amount) over (order by e.id) as balance,
        row_number() over (order by e.id desc) as from_the_end
      from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'reserve') as moved on true
    left join ledger_journals j on j.id = moved.journal_id
    where moved.balance < 0 or coalesce(moved.from_the_end, 1) = 1 and coalesce(moved.balance, 0) <> reserve.balance`,

  'the sums of each week are what its sales and the ledger say': sql`
    select week, sum(sales) as sales, sum(fees) as fees, sum(paid_in) as paid_in, sum(laid_out) as laid_out,
      sum(came_back) as came_back
    from (
      select week, -sales as sales, -fees as fees, -reserve_paid_in as paid_in, -reserve_laid_out as laid_out,
        -reserve_came_back as came_back
      from weekly_sums
      union all
      select week_of(paid_at), 1, 0, 0, 0, 0 from payment_transactions where status in ('held', 'releasing', 'completed')
      union all
      select week_of(p.paid_at), 0, -e.amount, 0, 0, 0 from ledger_entries e
      join ledger_accounts a on a.id = e.account_id and a.kind = 'platform_fees'
      join ledger_journals j on j.id = e.journal_id and j.kind <> 'reserve'
      join payment_transactions p on p.id = j.payment_id
      union all
      select week_of(p.paid_at), 0, 0, case when j.kind = 'reserve' then j.amount else 0 end,
        case when j.kind = 'cover' then greatest(j.amount, 0) else 0 end,
        case when j.kind = 'cover' then greatest(-j.amount, 0) else 0 end
      from ledger_journals j join payment_transactions p on p.id = j.payment_id where j.kind in ('reserve', 'cover')) as found
    group by week having (sum(sales), sum(fees), sum(paid_in), sum(laid_out), sum(came_back)) <> (0, 0, 0, 0, 0)`,

  'no account is without entries': sql`
    select a.* from ledger_accounts a where not exists (select from ledger_entries e where e.account_id = a.id)`,
};

interface BooksOfPayment extends BookedPayment {
  readonly journals: TotalOfKind[];
  readonly balances: { kind: string; userId: number | null; provider: string | null; cents: number }[];
}

/** Payments whose balances differ from what follows from their totals. */
async function findWrongBalances(db: Database): Promise<unknown[]> {
  const { rows } = await sql<BooksOfPayment>`
    select p.id, p.provider, p.receiver_id as "receiverId", ((p.amount + p.buyer_fee) * 100)::integer as "buyerTotal",
      (p.net_amount * 100)::integer as "netAmount", (p.platform_fee * 100)::integer as "platformFee",
      (select json_agg(json_build_object('kind', kind, 'cents', cents, 'feeCents', fees)) from (
        select kind, (sum(amount) * 100)::integer as cents, (sum(fee_amount) * 100)::integer as fees
        from ledger_journals where payment_id = p.id group by kind) as total) as journals,
      (select json_agg(json_build_object('kind', kind, 'userId', user_id, 'provider', provider, 'cents', cents)) from (
        select a.kind, a.user_id, a.provider, (sum(e.amount) * 100)::integer as cents
        from ledger_journals j join ledger_entries e on e.journal_id = j.id
        join ledger_accounts a on a.id = e.account_id where j.payment_id = p.id
        group by a.id having sum(e.amount) <> 0) as balance) as balances
    from payment_transactions p where exists (select from ledger_journals where payment_id = p.id)`.execute(
    db,
  );
  return rows.filter((payment) => {
    const found = (payment.balances ?? []).map(({ kind, userId, provider, cents }) =>
      [kind, userId ?? provider, cents].join(),
    );
    const due = balancesOf(payment, totalsOf(payment.journals))
      .filter(({ amount }) => amount !== 0)
      .map(({ account, amount }) => {
        const owner = 'userId' in account ? account.userId : 'provider' in account ? account.provider : null;
        return [account.kind, owner, amount].join();
      });
    return found.sort().join(' ') !== due.sort().join(' ');
  });
}

const BALANCES = {
  'the accounts of each payment stand as its totals say': findWrongBalances,
  'the accounts of each deposit stand as its totals say': findWrongDeposits,
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
  for (const [rule, find] of Object.entries(BALANCES)) {
    const wrong = await find(db);
    if (wrong.length > 0) broken.push({ rule, rows: wrong.slice(0, 20) });
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
