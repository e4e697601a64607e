import { type Kysely, sql } from 'kysely';

/** What sales and fees add up to in each week, so that nobody counts all sales and all of the ledger to know it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function week_of(at timestamptz) returns date language sql immutable
      return date_trunc('week', at at time zone 'UTC')::date;

    -- No primary key on the week: what changes a sum adds a row of its own, so that nobody waits for another's.
    create table weekly_sums (
      id bigint generated always as identity primary key,
      week date not null check (extract(isodow from week) = 1),
      sales integer not null default 0,
      fees numeric(12, 2) not null default 0,
      reserve_paid_in numeric(12, 2) not null default 0,
      reserve_laid_out numeric(12, 2) not null default 0,
      reserve_came_back numeric(12, 2) not null default 0
    );
    comment on table weekly_sums is 'the sums of a week are those of its rows; triggers add a row for each change';
    comment on column weekly_sums.week is 'the Monday (UTC) of the week in which the payments were paid';
    comment on column weekly_sums.sales is 'paid and not undone';
    comment on column weekly_sums.fees is 'what ClipSwap has kept of its fees, the part in the reserve included';

    create function add_to_weekly_sales() returns trigger language plpgsql as $$
    declare
      change integer := (new.status in ('held', 'releasing', 'completed'))::integer;
    begin
      if tg_op = 'UPDATE' then change := change - (old.status in ('held', 'releasing', 'completed'))::integer; end if;
      if change <> 0 then insert into weekly_sums (week, sales) values (week_of(new.paid_at), change); end if;
      return null;
    end $$;
    create trigger payments_weekly_sums after insert or update of status on payment_transactions
      for each row execute function add_to_weekly_sales();

    create function add_to_weekly_fees() returns trigger language plpgsql as $$
    begin
      insert into weekly_sums (week, fees, reserve_paid_in, reserve_laid_out, reserve_came_back)
      select week_of(payment.paid_at), change.* from payment_transactions as payment, lateral (
        select case when new.kind = 'reserve' then 0 else coalesce((
            select -sum(entry.amount) from ledger_entries as entry join ledger_accounts as account on account.id = entry.account_id
            where entry.journal_id = new.id and account.kind = 'platform_fees'), 0) end as fees,
          case when new.kind = 'reserve' then new.amount else 0 end as paid_in,
          case when new.kind = 'cover' then greatest(new.amount, 0) else 0 end as laid_out,
          case when new.kind = 'cover' then greatest(-new.amount, 0) else 0 end as came_back) as change
      where payment.id = new.payment_id and payment.paid_at is not null
        and (fees <> 0 or paid_in <> 0 or laid_out <> 0 or came_back <> 0);
      return null;
    end $$;
    -- At the end of each transaction, when the journal has its entries and the payment its time.
    create constraint trigger ledger_journals_weekly_sums after insert on ledger_journals
      deferrable initially deferred for each row execute function add_to_weekly_fees();

    insert into weekly_sums (week, sales, fees, reserve_paid_in, reserve_laid_out, reserve_came_back)
    select week, sum(sales), sum(fees), sum(paid_in), sum(laid_out), sum(came_back) from (
      select week_of(paid_at) as week, 1 as sales, 0 as fees, 0 as paid_in, 0 as laid_out, 0 as came_back
      from payment_transactions where status in ('held', 'releasing', 'completed')
      union all
      select week_of(payment.paid_at), 0, -entry.amount, 0, 0, 0
      from ledger_entries as entry join ledger_accounts as account on account.id = entry.account_id
      join ledger_journals as journal on journal.id = entry.journal_id
      join payment_transactions as payment on payment.id = journal.payment_id
      where account.kind = 'platform_fees' and journal.kind <> 'reserve'
      union all
      select week_of(payment.paid_at), 0, 0, case when kind = 'reserve' then journal.amount else 0 end,
        case when kind = 'cover' then greatest(journal.amount, 0) else 0 end,
        case when kind = 'cover' then greatest(-journal.amount, 0) else 0 end
      from ledger_journals as journal join payment_transactions as payment on payment.id = journal.payment_id
      where kind in ('reserve', 'cover')) as changes
    where week is not null group by week;

    -- Finds the paid sales of a rare state.
    create index payments_status on payment_transactions (status, paid_at desc, id desc) where paid_at is not null`.execute(
    db,
  );
}
