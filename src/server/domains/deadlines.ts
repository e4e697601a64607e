import { type RawBuilder, sql } from 'kysely';
import { AWAY_GRACE_DAYS } from '#contract/away.ts';
import { CLAIM_HOURS } from '#contract/claims.ts';
import { DEADLINE_DAYS } from '#contract/deals.ts';

/** The instant `days` × 24 hours after another. */
const after = (instant: RawBuilder<unknown>, days: number) =>
  sql`${instant} + make_interval(hours => ${sql.lit(days * 24)})`;

/**
 * A deadline that waits for people who are away: it does not pass before they have been back for AWAY_GRACE_DAYS, if they
 * had said so before it.
 * @param userIds a subquery
 */
const unlessAway = (
  deadline: RawBuilder<unknown>,
  userIds: RawBuilder<unknown>,
) => sql`greatest(${deadline}, (
  select max((away_until + ${sql.lit(AWAY_GRACE_DAYS)})::timestamp at time zone 'utc')
  from users as awaited where awaited.id in (${userIds}) and awaited.away_since < ${deadline}))`;

/** When an exchange (`exchanges`) ends by itself (decisions 3.6); null once it has ended. */
export const EXCHANGE_DEADLINE = sql<Date | null>`case exchanges.status
  when 'pending' then ${unlessAway(
    sql`coalesce(exchanges.consent_by, ${after(sql`exchanges.created_at`, DEADLINE_DAYS.exchangePending)})`,
    sql`select user_id from exchange_parties where exchange_id = exchanges.id and consented_at is null`,
  )}
  when 'accepted' then ${unlessAway(
    after(sql`exchanges.accepted_at`, DEADLINE_DAYS.exchangeAccepted),
    sql`select user_id from exchange_parties where exchange_id = exchanges.id`,
  )} end`;

/** When a bid (`bids`) ends by itself; null once it has ended. Who is to pay cannot be away. */
export const BID_DEADLINE = sql<Date | null>`case bids.status
  when 'pending' then ${unlessAway(
    sql`coalesce(bids.answer_by, ${after(sql`bids.created_at`, DEADLINE_DAYS.bidPending)})`,
    sql`case when bids.round % 2 = 1 then bids.owner_id else bids.bidder_id end`,
  )}
  when 'accepted' then ${after(sql`bids.accepted_at`, DEADLINE_DAYS.bidAccepted)} end`;

/** Until when the receiver of a leg (`leg` of `exchanges`) can claim that its code does not work; null before it moved. */
export const CLAIM_DEADLINE = sql<Date | null>`case exchanges.status when 'completed' then ${unlessAway(
  after(sql`exchanges.completed_at`, CLAIM_HOURS / 24),
  sql`leg.receiver_id`,
)} end`;

/**
 * Until when an open claim (`claims`) about an exchange waits for the word of its `giver`; null if it does not wait, as
 * for somebody who is banned or has left.
 */
export const ANSWER_DEADLINE = sql<Date | null>`case when claims.status = 'open' and claims.exchange_id is not null
  and claims.answer is null and giver.status <> 'banned' and giver.deleted_at is null then ${unlessAway(
    after(sql`claims.created_at`, CLAIM_HOURS / 24),
    sql`giver.id`,
  )} end`;
