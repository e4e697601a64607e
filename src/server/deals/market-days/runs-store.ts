import { sql } from 'kysely';
import type { MarketDayGraph } from '#contract/deals/market-day-certificate.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { RunState } from './hours.ts';
import type { Solution } from './rules.ts';

const day = sql<string>`market_day_runs.day::text`.as('day');

export interface RunRow {
  readonly day: string;
  readonly at: Date;
  readonly state: RunState;
  /** In hex. */
  readonly seed: string;
  readonly people: number | null;
  readonly coupons: number | null;
  readonly traded: number | null;
  readonly certificateHash: string | null;
  readonly forecast: number[];
}

const runs = (db: Database | Trx) =>
  db
    .selectFrom('marketDayRuns')
    .select([day, 'at', 'state', 'seed', 'people', 'coupons', 'traded', 'certificateHash', 'forecast'])
    .$narrowType<{ state: RunState }>();

/** Plans a market day; one that has been planned gets another hour until its codes are checked. */
export async function planRun(db: Database, given: { day: string; at: Date; seed: string }): Promise<void> {
  await db
    .insertInto('marketDayRuns')
    .values(given)
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet({ at: given.at })
        .where('marketDayRuns.state', '=', 'planned')
        .where('marketDayRuns.at', '<>', given.at),
    )
    .execute();
}

/** The earliest market day that is not over. */
export async function findOpenRun(db: Database | Trx): Promise<RunRow | undefined> {
  return runs(db)
    .where('state', 'not in', ['done', 'missed'])
    .orderBy('marketDayRuns.day')
    .limit(1)
    .executeTakeFirst();
}

export async function findRun(db: Database | Trx, on: string): Promise<RunRow | undefined> {
  return runs(db).where('marketDayRuns.day', '=', on).executeTakeFirst();
}

/** The runs whose hour is after an instant. */
export async function listRunsSince(db: Database | Trx, since: Date): Promise<RunRow[]> {
  return runs(db).where('at', '>', since).orderBy('marketDayRuns.day').execute();
}

/** The runs that are over. */
export async function listDone(db: Database | Trx): Promise<RunRow[]> {
  return runs(db).where('state', '=', 'done').orderBy('marketDayRuns.day').execute();
}

/** Where the exchanges of a day are not what its rings say, in words for engineers. */
export async function listUntrue(trx: Trx, on: string): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    with trade as (
      select ring.exchange_id, coupon.subject_id as coupon_id, coupon.user_id as giver_id, wish.user_id as receiver_id
      from market_day_rings as ring
      join market_day_rounds as solved on solved.day = ring.day and solved.round = ring.round
      cross join lateral jsonb_array_elements_text(ring.trades) as member (nth)
      cross join lateral (select solved.solution -> 'trades' -> member.nth::integer as trade) as each
      join market_day_numbers as coupon on coupon.day = ring.day and coupon.kind = 'coupon'
        and coupon.number = (trade ->> 'takes')::integer
      join market_day_numbers as wish on wish.day = ring.day and wish.kind = 'wish' and wish.number = (trade ->> 'wish')::integer
      where ring.day = ${on}::date and ring.outcome = 'traded')
    select 'a trade is in no exchange: coupon ' || coupon_id as fault from trade where not exists (
      select from exchange_legs as leg join exchanges on exchanges.id = leg.exchange_id
      where leg.exchange_id = trade.exchange_id and exchanges.status = 'completed' and exchanges.market_day = ${on}::date
        and (leg.coupon_id, leg.giver_id, leg.receiver_id) = (trade.coupon_id, trade.giver_id, trade.receiver_id))
    union all
    select 'an exchange has what no ring has: ' || exchanges.id from exchanges
    join exchange_legs as leg on leg.exchange_id = exchanges.id
    where exchanges.market_day = ${on}::date and not exists (
      select from trade where trade.exchange_id = exchanges.id and trade.coupon_id = leg.coupon_id)`.execute(
    trx,
  );
  return rows.map(({ fault }) => fault);
}

/** Locks a run until the transaction ends. @returns its state */
export async function lockRun(trx: Trx, on: string): Promise<RunState> {
  const { state } = await trx
    .selectFrom('marketDayRuns')
    .select('state')
    .where('day', '=', on)
    .forUpdate()
    .$narrowType<{ state: RunState }>()
    .executeTakeFirstOrThrow();
  return state;
}

export async function moveRun(
  trx: Trx,
  on: string,
  values: {
    readonly state: RunState;
    readonly endedAt?: Date;
    readonly people?: number;
    readonly coupons?: number;
    readonly traded?: number;
    readonly certificateHash?: string;
  },
): Promise<void> {
  await trx.updateTable('marketDayRuns').set(values).where('day', '=', on).execute();
}

/** The days before and after one that have had their hour. */
export async function findNeighbours(db: Database, on: string) {
  const { rows } = await sql<{ previous: string | null; next: string | null }>`
    select (select max(day)::text from market_day_runs where day < ${on}::date and state = 'done') as previous,
      (select min(day)::text from market_day_runs where day > ${on}::date and state = 'done') as next`.execute(
    db,
  );
  return rows[0] ?? { previous: null, next: null };
}

export async function putForecast(
  db: Database,
  on: string,
  given: { forecast: number[]; at: Date },
): Promise<void> {
  await db
    .updateTable('marketDayRuns')
    .set({ forecast: given.forecast, forecastAt: given.at })
    .where('day', '=', on)
    .execute();
}

/** How many of the coupons of a forecast are a person's. */
export async function countOwn(
  db: Database,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<number> {
  const { rows } = await sql<{ own: number }>`
    select count(*)::integer as own from coupons where id = any(${ids}::integer[]) and owner_id = ${userId}`.execute(
    db,
  );
  return rows[0]?.own ?? 0;
}

/** A row of the day's numbers. */
export interface NumberRow {
  readonly kind: 'person' | 'coupon' | 'wish';
  readonly number: number;
  readonly userId: number;
  readonly subjectId: number;
  readonly couponUpdatedAt: Date | null;
}

export async function insertNumbers(trx: Trx, on: string, rows: readonly NumberRow[]): Promise<void> {
  await sql`
    insert into market_day_numbers (day, kind, number, user_id, subject_id, coupon_updated_at)
    select ${on}::date, * from unnest(${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ number }) => number)}::integer[],
      ${rows.map(({ userId }) => userId)}::integer[], ${rows.map(({ subjectId }) => subjectId)}::integer[],
      ${rows.map(({ couponUpdatedAt }) => couponUpdatedAt?.toISOString() ?? null)}::timestamptz[])`.execute(
    trx,
  );
}

export async function listNumbers(db: Database | Trx, on: string): Promise<NumberRow[]> {
  return db
    .selectFrom('marketDayNumbers')
    .select(['kind', 'number', 'userId', 'subjectId', 'couponUpdatedAt'])
    .where('day', '=', on)
    .$narrowType<{ kind: NumberRow['kind'] }>()
    .execute();
}

/** A person's numbers of a day, with the titles of their coupons. */
export async function listOwnNumbers(db: Database, { on, userId }: { on: string; userId: number }) {
  const { rows } = await sql<{
    kind: NumberRow['kind'];
    number: number;
    subjectId: number;
    title: string | null;
  }>`
    select kind, number, subject_id, case when kind = 'coupon' then
      (select title from coupons where id = subject_id) end as title
    from market_day_numbers where day = ${on}::date and user_id = ${userId} order by kind, number`.execute(
    db,
  );
  return rows;
}

/** The exchanges that a market day made for a person, in id order. */
export async function listOwnExchanges(
  db: Database,
  { on, userId }: { on: string; userId: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select exchanges.id from market_day_rings as ring
    join exchanges on exchanges.id = ring.exchange_id
    join exchange_parties as party on party.exchange_id = exchanges.id and party.user_id = ${userId}
    where ring.day = ${on}::date order by exchanges.id`.execute(db);
  return rows.map(({ id }) => id);
}

export interface Round {
  readonly round: number;
  readonly graph: MarketDayGraph;
  readonly solution: Solution | null;
}

export async function insertRound(
  trx: Trx,
  on: string,
  given: { round: number; graph: MarketDayGraph },
): Promise<void> {
  await sql`insert into market_day_rounds (day, round, graph)
    values (${on}::date, ${given.round}, ${JSON.stringify(given.graph)}::jsonb)`.execute(trx);
}

export async function listRounds(db: Database | Trx, on: string): Promise<Round[]> {
  const { rows } = await sql<Round>`
    select round, graph, solution from market_day_rounds where day = ${on}::date order by round`.execute(db);
  return rows;
}

/** Stores the best of a round with its rings. @returns false if somebody else has */
export async function putSolution(
  trx: Trx,
  given: { on: string; round: number; solution: Solution },
): Promise<boolean> {
  const { on, round, solution } = given;
  const { rows } = await sql`
    update market_day_rounds set solution = ${JSON.stringify(solution)}::jsonb
    where day = ${on}::date and round = ${round} and solution is null returning round`.execute(trx);
  if (rows.length === 0) return false;
  const trades = solution.rings.map((ring) => JSON.stringify(ring));
  await sql`
    insert into market_day_rings (day, round, place, trades)
    select ${on}::date, ${round}, place, trades::jsonb
    from unnest(${trades}::text[]) with ordinality as ring (trades, place)`.execute(trx);
  return true;
}

export interface RingRow {
  readonly round: number;
  readonly place: number;
  /** Places of its trades in those of the round. */
  readonly trades: readonly number[];
  readonly outcome: 'traded' | 'dropped' | null;
  readonly exchangeId: number | null;
}

export async function listRings(db: Database | Trx, on: string): Promise<RingRow[]> {
  const { rows } = await sql<RingRow>`
    select round, place, trades, outcome, exchange_id from market_day_rings
    where day = ${on}::date order by round, place`.execute(db);
  return rows;
}

/** Locks a ring until the transaction ends. @returns whether it still waits */
export async function lockRing(
  trx: Trx,
  given: { on: string; round: number; place: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from market_day_rings where day = ${given.on}::date and round = ${given.round} and place = ${given.place}
      and outcome is null for update`.execute(trx);
  return rows.length > 0;
}

/** @param given.exchangeId null: it was dropped */
export async function endRing(
  trx: Trx,
  given: { on: string; round: number; place: number; exchangeId: number | null },
): Promise<void> {
  await sql`
    update market_day_rings set exchange_id = ${given.exchangeId},
      outcome = case when ${given.exchangeId}::integer is null then 'dropped' else 'traded' end
    where day = ${given.on}::date and round = ${given.round} and place = ${given.place} and outcome is null`.execute(
    trx,
  );
}
