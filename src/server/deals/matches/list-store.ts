import { sql } from 'kysely';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import { type MatchCount, OPEN_MATCHES_MAX } from '#contract/deals/matches.ts';
import { couponSummary } from '#server/coupons/core/coupon-summary-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { meanRating } from '#server/people/accounts/mean-rating-sql.ts';
import { isMatchable, takesPart } from './edges-store.ts';
import { isLive } from './store.ts';

interface PersonRow {
  readonly id: number;
  readonly username: string;
  readonly pictureId: string | null;
  readonly ratingCount: number;
  readonly averageRating: number | null;
}

export interface LegRow {
  readonly coupon: CouponSummary;
  readonly giver: PersonRow;
  readonly receiver: PersonRow;
  readonly wantId: number | null;
}

/** An open match with its legs. */
export interface MatchRow {
  readonly id: number;
  readonly isExplicit: boolean;
  readonly difference: number | null;
  readonly createdAt: Date;
  readonly legs: readonly LegRow[];
}

const person = (table: string) =>
  sql`json_build_object('id', ${sql.ref(`${table}.id`)}, 'username', ${sql.ref(`${table}.username`)},
    'pictureId', ${sql.ref(`${table}.pictureId`)}, 'ratingCount', ${sql.ref(`${table}.ratingCount`)},
    'averageRating', ${meanRating(table)})`;

/** The offset keeps the person's matches apart: else the planner would look first which of all people's are live. */
const openOf = (userId: number, now: Date) => sql`(
  select * from matches where state = 'open' and id in (
    select match_id from match_legs where giver_id = ${userId} and slot is not null) offset 0) as matches
  where ${isLive(now)}`;

/** The open matches of a person, the best first. */
export async function listOpen(
  db: Database | Trx,
  given: { userId: number; now: Date; id?: number; couponId?: number },
): Promise<MatchRow[]> {
  const { userId, now, id = null, couponId = null } = given;
  const { rows } = await sql<MatchRow>`
    select best.id, best.is_explicit, best.difference, best.created_at, (
      select json_agg(json_build_object('coupon', ${couponSummary('coupons')}, 'giver', ${person('giver')},
        'receiver', ${person('receiver')}, 'wantId', leg.want_id))
      from match_legs as leg join coupons on coupons.id = leg.coupon_id
        join users as giver on giver.id = leg.giver_id join users as receiver on receiver.id = leg.receiver_id
      where leg.match_id = best.id) as legs
    from (
      select * from ${openOf(userId, now)}
        and (${id}::integer is null or id = ${id})
        and (${couponId}::integer is null or exists (
          select from match_legs where match_id = matches.id and coupon_id = ${couponId}))
      limit ${sql.lit(OPEN_MATCHES_MAX)}) as best
    order by best.score desc, best.id`.execute(db);
  return rows;
}

/** How many open matches a person has, and the coupons in them. */
export async function countOpen(db: Database, given: { userId: number; now: Date }): Promise<MatchCount> {
  const { rows } = await sql<MatchCount>`
    with own as (select id from ${openOf(given.userId, given.now)})
    select (select count(*)::integer from own) as open, array(
      select distinct coupon_id from match_legs where match_id in (select id from own) order by coupon_id
    ) as coupon_ids`.execute(db);
  return rows[0] ?? { open: 0, couponIds: [] };
}

/** The coupons of a person that the owner of another looks for and would take for it, the latest wish first. */
export async function listWouldTake(
  db: Database,
  given: { userId: number; couponId: number; limit: number; now: Date },
): Promise<CouponSummary[]> {
  const { userId, couponId, limit, now } = given;
  const { rows } = await sql<{ coupon: CouponSummary }>`
    select ${couponSummary('coupons')} as coupon
    from (
      select coupons.id, coupons.owner_id from coupons where coupons.id = ${couponId} and ${isMatchable(now)}
    ) as asked
    join match_edges as edge on edge.taker_id = asked.owner_id and edge.owner_id = ${userId} and edge.is_explicit
    join coupons on coupons.id = edge.coupon_id and coupons.owner_id = ${userId}
    where ${isMatchable(now)}
      and (not edge.gives_some or exists (
        select from want_gifts where want_gifts.want_id = edge.want_id and want_gifts.coupon_id = asked.id))
      and not exists (
        select from user_blocks where blocker_id = ${userId} and blocked_id = asked.owner_id
          or blocker_id = asked.owner_id and blocked_id = ${userId})
      and exists (select from users where users.id = asked.owner_id and ${takesPart(now)})
      and not exists (
        select from match_dismissals as dismissal
        where dismissal.user_id = asked.owner_id and (dismissal.person_id = ${userId} or (dismissal.coupon_id = coupons.id
          and (dismissal.reason = 'not_interested' or dismissal.gift_id = asked.id))))
    order by edge.id desc limit ${limit}`.execute(db);
  return rows.map(({ coupon }) => coupon);
}

/** Takes people who were not told of any match since `quietSince` and have not been told of one; notes that they are now. */
export async function takeTurn(
  trx: Trx,
  given: { at: Date; quietSince: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    insert into match_notifications (user_id, notified_at)
    select giver_id, ${given.at}::timestamptz from (
      select distinct giver_id from match_legs
      where awaits_notification and not exists (
        select from match_notifications where user_id = giver_id and notified_at > ${given.quietSince}::timestamptz)
      order by giver_id limit ${given.limit}) as waiting
    on conflict (user_id) do update set notified_at = excluded.notified_at
      where match_notifications.notified_at <= ${given.quietSince}::timestamptz
    returning user_id`.execute(trx);
  return rows.map(({ userId }) => userId);
}

/**
 * Notes that a person is told of these matches.
 * @returns those of them whose swap, what for what, they have not been told of in any match
 */
export async function noteNotified(trx: Trx, userId: number, matchIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ matchId: number }>`
    with swaps as (
      select gives.match_id, gives.coupon_id as given_id, gets.coupon_id as got_id
      from match_legs as gives join match_legs as gets
        on gets.match_id = gives.match_id and gets.receiver_id = gives.giver_id
      where gives.giver_id = ${userId} and gives.match_id = any(${matchIds}::integer[])
    ), told as (
      insert into match_swaps_notified (user_id, given_id, got_id)
      select distinct ${userId}::integer, given_id, got_id from swaps
      on conflict do nothing returning given_id, got_id
    )
    select min(match_id) as match_id from swaps join told using (given_id, got_id) group by given_id, got_id`.execute(
    trx,
  );
  return rows.map(({ matchId }) => matchId);
}

/** The matches that await being told to a person; from now on they do not. */
export async function takeUnnotified(trx: Trx, userId: number): Promise<number[]> {
  const rows = await trx
    .updateTable('matchLegs')
    .set({ awaitsNotification: false })
    .where('giverId', '=', userId)
    .where('awaitsNotification', '=', true)
    .returning('matchId')
    .execute();
  return rows.map(({ matchId }) => matchId);
}
