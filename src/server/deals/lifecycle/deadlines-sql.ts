import { type RawBuilder, sql } from 'kysely';
import { AWAY_GRACE_DAYS } from '#contract/deals/away.ts';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import { ANSWER_HOURS, CLAIM_HOURS, CONTEST_HOURS } from '#contract/money/claims.ts';
import { DEPOSIT_COMPLETE_DAYS } from '#contract/money/deposits.ts';
import type { ClockCause } from '#server/people/clocks/clock-stops.ts';

/** The instant `days` × 24 hours after another. */
const after = (instant: RawBuilder<unknown>, days: number) =>
  sql`${instant} + make_interval(hours => ${sql.lit(days * 24)})`;

/** Whom a deadline waits for, and what can keep them from acting. */
interface Awaited {
  /** A subquery. */
  readonly userIds: RawBuilder<unknown>;
  readonly cause: Exclude<ClockCause, 'outage'>;
  /** Whether it waits for people who are away, too. */
  readonly away: boolean;
}

/**
 * A deadline that waits for whoever cannot act. If its time comes while people are away, suspended or banned, it passes
 * only some days after they can act again; for everybody it waits after an outage of the market (see clock-stops.ts).
 * docs/operations.md lists all deadlines.
 */
function unlessPrevented(deadline: RawBuilder<unknown>, awaited: Awaited | null): RawBuilder<Date> {
  const outage = sql`(
    select max(clear_at) from clock_stops as stop where stop.user_id is null and stop.since < ${deadline})`;
  if (awaited === null) return sql`greatest(${deadline}, ${outage})`;
  const { userIds, cause, away } = awaited;
  const stopped = sql`(
    select max(clear_at) from clock_stops as stop
    where stop.user_id in (${userIds}) and stop.cause = ${sql.lit(cause)} and stop.since < ${deadline})`;
  const back = sql`(
    select max((away_until + ${sql.lit(AWAY_GRACE_DAYS)})::timestamp at time zone 'utc')
    from users as awaited where awaited.id in (${userIds}) and awaited.away_since < ${deadline})`;
  return away
    ? sql`greatest(${deadline}, ${outage}, ${stopped}, ${back})`
    : sql`greatest(${deadline}, ${outage}, ${stopped})`;
}

/** Suspended people can make, answer and complete no deals; a ban cancels them. */
const parties = (userIds: RawBuilder<unknown>): Awaited => ({ userIds, cause: 'suspended', away: true });

/** Suspended people can claim and answer claims; banned people only once they have their link. */
const defenders = (userIds: RawBuilder<unknown>): Awaited => ({ userIds, cause: 'banned', away: true });

/** Whether all parties of an exchange have put up its deposit. */
const HAS_DEPOSITS = sql<boolean>`not exists (
  select from exchange_parties where exchange_id = exchanges.id and deposit_at is null)`;

/**
 * When an exchange (`exchanges`) ends by itself (decisions 3.6); null once it has ended. With prices, as an unpaid bid does;
 * with a deposit, as an unpaid bid does until all have put it up, then some days after the first has: a card's authorisation
 * lapses (decisions 3.20).
 */
export const EXCHANGE_DEADLINE = sql<Date | null>`case exchanges.status
  when 'pending' then ${unlessPrevented(
    sql`coalesce(exchanges.consent_by, ${after(sql`exchanges.created_at`, DEADLINE_DAYS.exchangePending)})`,
    parties(
      sql`select user_id from exchange_parties where exchange_id = exchanges.id and consented_at is null`,
    ),
  )}
  when 'accepted' then case
    when exchanges.deposit is not null and ${HAS_DEPOSITS} then ${after(
      sql`(select min(deposit_at) from exchange_parties where exchange_id = exchanges.id)`,
      DEPOSIT_COMPLETE_DAYS,
    )}
    when exchanges.deposit is not null or exists (select from bids where bids.exchange_id = exchanges.id)
    then ${unlessPrevented(after(sql`exchanges.accepted_at`, DEADLINE_DAYS.bidAccepted), null)}
    else ${unlessPrevented(
      after(sql`exchanges.accepted_at`, DEADLINE_DAYS.exchangeAccepted),
      parties(sql`select user_id from exchange_parties where exchange_id = exchanges.id`),
    )} end end`;

/** When a bid (`bids`) ends by itself; null once it has ended. Whoever is to pay can pay, also suspended or away. */
export const BID_DEADLINE = sql<Date | null>`case bids.status
  when 'pending' then ${unlessPrevented(
    sql`coalesce(bids.answer_by, ${after(sql`bids.created_at`, DEADLINE_DAYS.bidPending)})`,
    parties(sql`case when bids.round % 2 = 1 then bids.owner_id else bids.bidder_id end`),
  )}
  when 'accepted' then ${unlessPrevented(
    sql`coalesce(bids.begin_by, ${after(sql`bids.accepted_at`, DEADLINE_DAYS.bidAccepted)})`,
    null,
  )} end`;

/** When the hold of a paid sale is over; null before the payment. @param payment the name of payment_transactions */
export const holdDeadline = (payment: string) => {
  const column = (name: string) => sql.ref(`${payment}.${name}`);
  const awaited = { ...defenders(column('sender_id')), away: false };
  return sql<Date | null>`case when ${column('hold_until')} is not null then ${unlessPrevented(column('hold_until'), awaited)} end`;
};

/**
 * Until when a claim about a paid sale is heard after its hold: some days, but not once the coupon has expired; null
 * without a guarantee and before the payment. @param payment the name of payment_transactions
 */
export const coverDeadline = (payment: string) => {
  const column = (name: string) => sql.ref(`${payment}.${name}`);
  const end = sql`least(${column('hold_until')} + make_interval(hours => 24 * ${column('guarantee_days')}), (
    select coupons.expires_at from bids join coupons on coupons.id = bids.coupon_id where bids.id = ${column('bid_id')}))`;
  const awaited = { ...defenders(column('sender_id')), away: false };
  return sql<Date | null>`case when ${column('hold_until')} is not null and ${column('guarantee_days')} > 0
    then ${unlessPrevented(end, awaited)} end`;
};

/** Until when the receiver of a leg (`leg` of `exchanges`) can claim that its code does not work; null before it moved. */
export const CLAIM_DEADLINE = sql<Date | null>`case exchanges.status when 'completed' then ${unlessPrevented(
  after(sql`exchanges.completed_at`, CLAIM_HOURS / 24),
  defenders(sql`leg.receiver_id`),
)} end`;

/**
 * Until when an open claim (`claims`) waits for the word of its `giver`; null if it does not wait, as for somebody who has
 * left. Not as long where its merchant has told what decides it.
 */
export const ANSWER_DEADLINE = sql<Date | null>`case when claims.status = 'open' and claims.answer is null
  and giver.deleted_at is null then ${unlessPrevented(
    sql`case when claims.finding_for is not null and claims.contested_at is null
      then ${after(sql`claims.finding_at`, CONTEST_HOURS / 24)}
      else ${after(sql`claims.created_at`, ANSWER_HOURS / 24)} end`,
    defenders(sql`giver.id`),
  )} end`;
