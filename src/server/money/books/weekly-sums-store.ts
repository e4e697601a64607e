import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

/*
 * The sums of a week are those of its rows in `weekly_sums`: triggers add a row for each sale that is paid or undone, and for
 * each journal that moves our fees or the reserve, in the week in which the payment was paid. A row is never changed, so
 * nobody waits for another's; `addUpWeeks` makes one row of those of a week. `npm run ledger:check` compares the sums with the
 * sales and the ledger.
 */

/**
 * Per week: the sales that were paid in it and not undone, and what is kept of the fees of all that were paid in it, as a decimal
 * text in the base currency. The weeks start on the Mondays (UTC) `first` to `last`; empty ones have a row too.
 */
export async function sumWeeks(
  db: Database,
  { first, last }: { first: string; last: string },
): Promise<{ week: string; fees: string; sales: number }[]> {
  const { rows } = await sql<{ week: string; fees: string; sales: number }>`
    select weeks.week::date as week, coalesce(sum(sums.sales), 0)::integer as sales,
      coalesce(sum(sums.fees), 0)::numeric(12, 2)::text as fees
    from generate_series(${first}::timestamp, ${last}::timestamp, interval '7 days') as weeks (week)
    left join weekly_sums as sums on sums.week = weeks.week::date
    group by weeks.week order by weeks.week`.execute(db);
  return rows;
}

/** Amounts are decimal texts in the base currency. */
interface AllWeeks {
  readonly sales: number;
  /** Earned and not given back. */
  readonly fees: string;
  /** What the reserve holds, and what has gone into it, out of it, and back into it. */
  readonly reserve: {
    readonly balance: string;
    readonly paidIn: string;
    readonly laidOut: string;
    readonly cameBack: string;
  };
}

/** The sums of all weeks. */
export async function sumAllWeeks(db: Database): Promise<AllWeeks> {
  const { rows } = await sql<Omit<AllWeeks, 'reserve'> & AllWeeks['reserve']>`
    select reserve.balance::numeric(12, 2)::text as balance, sums.*
    from guarantee_reserve as reserve, lateral (
      select coalesce(sum(sales), 0)::integer as sales, coalesce(sum(fees), 0)::numeric(12, 2)::text as fees,
        coalesce(sum(reserve_paid_in), 0)::numeric(12, 2)::text as paid_in,
        coalesce(sum(reserve_laid_out), 0)::numeric(12, 2)::text as laid_out,
        coalesce(sum(reserve_came_back), 0)::numeric(12, 2)::text as came_back
      from weekly_sums) as sums`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The ledger has no reserve');
  const { sales, fees, ...reserve } = row;
  return { sales, fees, reserve };
}

/** Makes one row of the rows of each week. What others add meanwhile stays beside it. */
export async function addUpWeeks({ db }: { readonly db: Database }): Promise<void> {
  await sql`
    with gone as (
      delete from weekly_sums where week in (select week from weekly_sums group by week having count(*) > 1) returning *)
    insert into weekly_sums (week, sales, fees, reserve_paid_in, reserve_laid_out, reserve_came_back)
    select week, sum(sales), sum(fees), sum(reserve_paid_in), sum(reserve_laid_out), sum(reserve_came_back)
    from gone group by week`.execute(db);
}
