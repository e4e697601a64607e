import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DealFilter } from '#contract/deals/deal-list.ts';
import { DEADLINE_DAYS, type DealType } from '#contract/deals/deals.ts';
import { ANSWER_HOURS } from '#contract/money/claims.ts';
import type { Database } from '#server/database/client.ts';
import { type ListOrder, type ListPage, openPage, type Paging, totalOf } from '#server/database/paging.ts';
import { prepared } from '#server/database/prepared.ts';
import { ANSWER_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';

/** The stages of a list in their order, as `stage` holds them. */
export const [YOURS, OTHERS] = [1, 2];
const ENDED = 3;

/** Open deals by their deadline, the nearest first, without what can prolong it; ended ones newest first. */
const ORDER: ListOrder = {
  name: 'deals',
  direction: 'asc',
  by: [
    ['stage', 'integer'],
    ['due', 'timestamptz'],
    ['tie', 'integer'],
    ['dealType', 'text'],
  ],
};

/** A deal's place in the list. */
export interface DealPlace {
  readonly stage: number;
  readonly dealType: DealType;
  readonly dealId: number;
  readonly hasOpenClaim: boolean;
  /** Until when the person's answer to a claim is awaited. */
  readonly answerBy: Date | null;
}

/** Where deals of a kind are, with the expressions of its index `*_step`: the step that a deal has reached, since when. */
interface Source {
  readonly dealType: DealType;
  readonly table: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly person: RawBuilder<unknown>;
  readonly step: RawBuilder<unknown>;
  readonly since: RawBuilder<unknown>;
}

const BID_STEPS = {
  dealType: 'bid',
  table: sql`bids`,
  id: sql`bids.id`,
  step: sql`(case bids.status when 'pending' then case when bids.answer_by is null then 1 else 2 + bids.round % 2 end
    when 'accepted' then 4 else 5 end)`,
  since: sql`(case bids.status when 'pending' then coalesce(bids.answer_by, bids.created_at)
    when 'accepted' then bids.accepted_at else bids.updated_at end)`,
} as const;
const PLACED: Source = { ...BID_STEPS, person: sql`bids.exchange_id is null and bids.bidder_id` };
const RECEIVED: Source = { ...BID_STEPS, person: sql`bids.exchange_id is null and bids.owner_id` };
/** Received bids below the lowest price of their coupon. */
const BELOW_FLOOR: Source = {
  ...BID_STEPS,
  table: sql`coupons join bids on bids.coupon_id = coupons.id and bids.status = 'pending'
    and bids.amount < coupons.price_floor`,
  person: sql`coupons.price_floor is not null and coupons.owner_id`,
};
const EXCHANGES: Source = {
  dealType: 'exchange',
  table: sql`exchange_parties as part`,
  id: sql`part.exchange_id`,
  person: sql`part.user_id`,
  step: sql`(case part.status when 'pending' then case when part.consent_by is null then 1 else 2 end
    + case when part.consented_at is null then 0 else 2 end when 'accepted' then 5 else 6 end)`,
  since: sql`(case part.status when 'pending' then coalesce(part.consent_by, part.created_at)
    when 'accepted' then part.accepted_at else part.updated_at end)`,
};

/** The deals of a source at one step, all of which are in one stage of the list. */
interface Part {
  readonly from: Source;
  readonly step: number;
  readonly stage: number;
  /** From `since` to the deadline. */
  readonly days?: number;
  readonly where?: RawBuilder<boolean>;
}

const isBelowFloor = sql<boolean>`exists (
  select from coupons where coupons.id = bids.coupon_id and bids.amount < coupons.price_floor)`;
const isSellerReady = sql<boolean>`exists (
  select from seller_accounts where seller_accounts.user_id = bids.owner_id and seller_accounts.is_ready)`;
const hasNoClaim = (column: 'bid_id' | 'exchange_id', id: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from claims where claims.${sql.raw(column)} = ${id} and claims.status = 'open')`;
const not = (condition: RawBuilder<boolean>) => sql<boolean>`not ${condition}`;

const { bidPending, bidAccepted, exchangePending, exchangeAccepted } = DEADLINE_DAYS;
const endedBid = { step: 5, stage: ENDED, where: hasNoClaim('bid_id', sql`bids.id`) };

const BID_PARTS: readonly Part[] = [
  // The owner answers in odd rounds. They are not told of a bid below their lowest price, so it is not their turn.
  { from: RECEIVED, step: 1, stage: YOURS, days: bidPending, where: not(isBelowFloor) },
  { from: BELOW_FLOOR, step: 1, stage: OTHERS, days: bidPending },
  { from: RECEIVED, step: 2, stage: OTHERS },
  { from: RECEIVED, step: 3, stage: YOURS, where: not(isBelowFloor) },
  { from: BELOW_FLOOR, step: 3, stage: OTHERS },
  // Nobody can pay a seller who has no account to be paid to.
  { from: RECEIVED, step: 4, stage: OTHERS, days: bidAccepted, where: isSellerReady },
  { from: RECEIVED, step: 4, stage: YOURS, days: bidAccepted, where: not(isSellerReady) },
  { from: RECEIVED, ...endedBid },
  { from: PLACED, step: 1, stage: OTHERS, days: bidPending },
  { from: PLACED, step: 2, stage: YOURS },
  { from: PLACED, step: 3, stage: OTHERS },
  { from: PLACED, step: 4, stage: YOURS, days: bidAccepted, where: isSellerReady },
  { from: PLACED, step: 4, stage: OTHERS, days: bidAccepted, where: not(isSellerReady) },
  { from: PLACED, ...endedBid },
];

// The next round of a negotiation replaces the one before.
const isLastRound = sql<boolean>`not exists (select from exchanges as next where next.replaces_id = part.exchange_id)`;

const hasPrice = sql<boolean>`exists (select from bids where bids.exchange_id = part.exchange_id)`;
// Whoever has to pay, or to be able to be paid.
const isTheirsToPay = sql<boolean>`exists (
  select from bids where bids.exchange_id = part.exchange_id and bids.price_paid_at is null
    and part.user_id = case when ${isSellerReady} then bids.bidder_id else bids.owner_id end)`;

const hasDeposit = sql<boolean>`exists (
  select from exchanges as agreed where agreed.id = part.exchange_id and agreed.deposit is not null)`;
// Theirs is there, and another one is not.
const isWaitingForDeposits = sql<boolean>`(${hasDeposit} and part.deposit_at is not null and exists (
  select from exchange_parties as other where other.exchange_id = part.exchange_id and other.deposit_at is null))`;

const EXCHANGE_PARTS: readonly Part[] = [
  { from: EXCHANGES, step: 1, stage: YOURS, days: exchangePending },
  { from: EXCHANGES, step: 2, stage: YOURS },
  { from: EXCHANGES, step: 3, stage: OTHERS, days: exchangePending },
  { from: EXCHANGES, step: 4, stage: OTHERS },
  {
    from: EXCHANGES,
    step: 5,
    stage: YOURS,
    days: exchangeAccepted,
    where: sql`not ${hasPrice} and not ${hasDeposit}`,
  },
  {
    from: EXCHANGES,
    step: 5,
    stage: YOURS,
    days: bidAccepted,
    where: sql`${hasDeposit} and not ${isWaitingForDeposits}`,
  },
  { from: EXCHANGES, step: 5, stage: OTHERS, days: bidAccepted, where: isWaitingForDeposits },
  { from: EXCHANGES, step: 5, stage: YOURS, days: bidAccepted, where: isTheirsToPay },
  {
    from: EXCHANGES,
    step: 5,
    stage: OTHERS,
    days: bidAccepted,
    where: sql`${hasPrice} and not ${isTheirsToPay}`,
  },
  {
    from: EXCHANGES,
    step: 6,
    stage: ENDED,
    where: sql`${isLastRound} and ${hasNoClaim('exchange_id', sql`part.exchange_id`)}`,
  },
];

const PARTS: Readonly<Record<DealFilter, readonly Part[]>> = {
  all: [...BID_PARTS, ...EXCHANGE_PARTS],
  bids: BID_PARTS,
  exchanges: EXCHANGE_PARTS,
  claims: [],
};

/** Turns the order of instants around, exactly: what is later becomes earlier. */
const mirrored = (instant: RawBuilder<unknown>) => sql`((timestamp 'epoch'
  + (timestamp 'epoch' - (${instant} at time zone 'utc'))) at time zone 'utc')`;
const hoursOf = (days = 0) => sql`make_interval(hours => ${sql.lit(days * 24)})`;

/** What a cursor may hold; its mirror is an instant, too. */
const within = (instant: RawBuilder<unknown>) =>
  sql`least(greatest(${instant}, timestamptz '1000-01-01'), timestamptz '2900-01-01')`;

/** The id of a person, or the column that has it. */
type Person = number | RawBuilder<number>;

/** A part up to the end of a page, in the order of its index. */
function upTo({ from, step, stage, days, where = sql`true` }: Part, userId: Person, page: ListPage) {
  const isEnded = stage === ENDED;
  const { since, id } = from;
  const isForward = page.direction === 'asc';
  const scan = isForward !== isEnded ? 'asc' : 'desc';
  return sql`(
    select ${sql.lit(stage)}::integer as stage,
      ${isEnded ? mirrored(since) : sql`${since} + ${hoursOf(days)}`} as due,
      ${isEnded ? sql`-${id}` : id} as tie, ${sql.lit(from.dealType)}::text as deal_type, ${id} as deal_id,
      false as has_open_claim, null::timestamptz as answer_by
    from ${from.table}
    where ${from.person} = ${userId} and ${from.step} = ${sql.lit(step)} and ${where}
      and ${isBegun({ stage, days, isEnded, since, id }, page, scan)}
    order by ${since} ${sql.raw(scan)}, ${id} ${sql.raw(scan)} limit ${page.reach + 1})`;
}

/** Whether a row of a part can be on the page: a range of the index, which may begin before the page. */
function isBegun(
  part: Pick<Part, 'stage' | 'days'> & Pick<Source, 'since' | 'id'> & { readonly isEnded: boolean },
  { values, beyond }: ListPage,
  scan: 'asc' | 'desc',
): RawBuilder<boolean> {
  const [stage, due, tie] = values ?? [];
  if (!stage || !due || !tie) return sql`true`;
  const at = part.isEnded ? mirrored(within(due)) : sql`${due} - ${hoursOf(part.days)}`;
  const [all, none] = scan === 'asc' ? ['-infinity', 'infinity'] : ['infinity', '-infinity'];
  const bound = sql`case when ${stage} = ${sql.lit(part.stage)} then ${at}
    when ${sql.lit(part.stage)} ${beyond} ${stage} then timestamptz ${sql.lit(all)} else timestamptz ${sql.lit(none)} end`;
  const comparison = sql.raw(scan === 'asc' ? '>=' : '<=');
  return sql`(${part.since}, ${part.id}) ${comparison} (${bound}, ${part.isEnded ? sql`-${tie}` : tie})`;
}

/** The deals about which a person, or somebody against them, has made a claim. One row a deal. */
function claimedBy(userId: Person, onlyOpen: boolean): RawBuilder<unknown> {
  const isTheirs = sql`claims.status = 'open' and claims.giver_id = ${userId} and claims.answer is null`;
  const answerBy = sql`min(${ANSWER_DEADLINE}) filter (where claims.giver_id = ${userId})`;
  return sql`(
    select stage, case when stage = ${sql.lit(ENDED)} then ${mirrored(sql`changed_at`)} else due end as due,
      case when stage = ${sql.lit(ENDED)} then -deal_id else deal_id end as tie, deal_type, deal_id,
      stage < ${sql.lit(ENDED)} as has_open_claim, answer_by
    from (select
        case when bool_or(${isTheirs}) then ${sql.lit(YOURS)} when bool_or(claims.status = 'open') then ${sql.lit(OTHERS)}
          else ${sql.lit(ENDED)} end as stage,
        coalesce(${answerBy}, min(claims.created_at) + make_interval(hours => ${sql.lit(ANSWER_HOURS)})) as due,
        max(claims.decided_at) as changed_at, coalesce(claims.exchange_id, claims.bid_id) as deal_id,
        case when claims.exchange_id is null then 'bid' else 'exchange' end::text as deal_type, ${answerBy} as answer_by
      from claims join users as giver on giver.id = claims.giver_id
      where (claims.giver_id = ${userId} or claims.claimant_id = ${userId})
        ${onlyOpen ? sql`and claims.status = 'open'` : sql``}
      group by claims.exchange_id, claims.bid_id) as claimed)`;
}

interface Filter<Who extends Person = number> {
  readonly userId: Who;
  readonly only: DealFilter;
}

type Row = DealPlace & { readonly due: Date; readonly tie: number };

/** The deals up to the end of a page. Nobody is on both sides of a bid, and deals with a claim are in one part only. */
function dealsOf(
  db: Database,
  { userId, only }: Filter<Person>,
  page: ListPage,
  stages: readonly number[] = [YOURS, OTHERS, ENDED],
) {
  const parts = PARTS[only].filter(({ stage }) => stages.includes(stage));
  const claimed = claimedBy(userId, only !== 'claims');
  const ofType = only === 'bids' || only === 'exchanges' ? sql`deal_type = ${only.slice(0, -1)}` : sql`true`;
  const listed = sql`select * from ${claimed} as claimed where ${ofType} and stage = any(${stages}::integer[])`;
  const all = sql.join(
    [sql`(${listed})`, ...parts.map((part) => upTo(part, userId, page))],
    sql` union all `,
  );
  return db.selectFrom(sql<Row>`(${all})`.as('found')).selectAll();
}

/** Planning takes longer than reading: there are many parts. The SQL depends on the name alone. */
const nameOf = (what: string, only: DealFilter, { values, direction }: ListPage) =>
  `deals-${what}-${only}-${values ? direction : 'first'}`;

/** A page of a person's deals of all kinds. */
export async function listDeals(db: Database, filter: Filter, paging: Paging) {
  const page = openPage(paging, ORDER, COUNT_CAP);
  const listed = page.select(db.selectFrom(dealsOf(db, filter, page).as('deals')).selectAll());
  const rows = await prepared(db, nameOf('list', filter.only, page), listed);
  return { ...page.finish(rows), ...totalOf(await countOf(db, filter), COUNT_CAP) };
}

/** The number of a person's deals in these stages, counted up to one more than COUNT_CAP. */
async function countOf(db: Database, filter: Filter, stages?: readonly number[]): Promise<number> {
  const page = openPage({ page: 1, limit: COUNT_CAP }, ORDER, COUNT_CAP);
  const counted = sql<{ found: number }>`select count(*) as found from (
    select 1 from ${dealsOf(db, filter, page, stages)} as matching limit ${COUNT_CAP + 1}) as counted`;
  const [row] = await prepared(db, nameOf(stages ? 'yours' : 'total', filter.only, page), counted);
  return row?.found ?? 0;
}

/** How many deals wait for each of these people, counted up to COUNT_CAP, by their ids. */
export async function countYoursOfEach(
  db: Database,
  userIds: readonly number[],
): Promise<Map<number, number>> {
  const page = openPage({ page: 1, limit: COUNT_CAP }, ORDER, COUNT_CAP);
  const theirs = dealsOf(db, { userId: sql`person.id`, only: 'all' }, page, [YOURS]);
  const { rows } = await sql<{ id: number; found: number }>`
    select person.id, (select count(*) from (select 1 from ${theirs} as theirs limit ${COUNT_CAP}) as counted) as found
    from unnest(${[...userIds]}::integer[]) as person (id)`.execute(db);
  return new Map(rows.map(({ id, found }) => [id, found]));
}

/** How many deals wait for a person, counted up to COUNT_CAP. */
export async function countYours(db: Database, userId: number): Promise<number> {
  return totalOf(await countOf(db, { userId, only: 'all' }, [YOURS]), COUNT_CAP).total;
}
