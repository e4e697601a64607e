import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import { POINTS } from '#contract/oversight/leaderboard.ts';
import {
  LEADERBOARD_CATEGORIES,
  type LeaderboardCategory,
} from '#contract/oversight/leaderboard-categories.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { among, visibleRatings } from '#server/deals/ratings/visible-ratings-sql.ts';
import { lockedPeople } from '#server/people/accounts/locked-people-sql.ts';
import { meanRating } from '#server/people/accounts/mean-rating-sql.ts';

/** The key of the advisory lock; no other lock in the database uses it. */
const REFRESH_LOCK = 1_129_075_554;

/** Locks the refresh for this transaction. @returns false if another process holds the lock */
export async function tryLockRefresh(trx: Trx): Promise<boolean> {
  const taken = await sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(${REFRESH_LOCK}) as is_taken`.execute(trx);
  return taken.rows[0]?.isTaken ?? false;
}

/** Takes up to `limit` rows off the queue, the oldest first. @returns the people, each once */
export async function takeQueued(trx: Trx, limit: number): Promise<{ taken: number; userIds: number[] }> {
  const { rows } = await sql<{ userId: number }>`
    delete from leaderboard_queue where id in (select id from leaderboard_queue order by id limit ${limit})
    returning user_id`.execute(trx);
  return { taken: rows.length, userIds: [...new Set(rows.map(({ userId }) => userId))] };
}

/** Queues everybody. @returns how many people */
export async function queueEverybody(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into leaderboard_queue (user_id) select id from users order by id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The rank of new entries until `rankEntries`, in the same transaction. */
const LAST = 2_147_483_647;

interface Written {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The people whose stored counts differ: their verified coupons, partners or ratings. */
  readonly miscounted: readonly number[];
}

/**
 * Counts the points of these people again. Only entries that differ are written. Banned and deleted people and people without
 * points have none. Rank the entries afterwards.
 */
export async function putEntries(trx: Trx, userIds: readonly number[], at: Date): Promise<Written> {
  const scores = LEADERBOARD_CATEGORIES.map(
    (category) => sql`(${sql.lit(category)}, ${sql.ref(category)}, ${sql.ref(`${category}_at`)})`,
  );
  const written = await sql<Written>`
    with scored as materialized (${scoresOfPeople(userIds, at)}),
    counted as materialized (
      select scored.user_id, entry.category, entry.score, scored.average_rating, entry.reached_at
      from scored
      join users on users.id = scored.user_id
      cross join lateral (values ${sql.join(scores)}) as entry (category, score, reached_at)
      where entry.score > 0 and users.status <> 'banned' and users.deleted_at is null),
    changed as (
      update leaderboard set score = counted.score, average_rating = counted.average_rating,
        reached_at = counted.reached_at, updated_at = ${at}
      from counted
      where leaderboard.user_id = counted.user_id and leaderboard.category = counted.category
        and (leaderboard.score, leaderboard.average_rating, leaderboard.reached_at)
          is distinct from (counted.score, counted.average_rating, counted.reached_at)
      returning leaderboard.id),
    added as (
      insert into leaderboard (user_id, category, rank, score, average_rating, reached_at, updated_at)
      select user_id, category, ${LAST}::integer, score, average_rating, reached_at, ${at} from counted
      where not exists (
        select from leaderboard as old where old.user_id = counted.user_id and old.category = counted.category)
      returning id),
    removed as (
      delete from leaderboard where ${among('user_id', userIds)} and not exists (
        select from counted
        where counted.user_id = leaderboard.user_id and counted.category = leaderboard.category)
      returning id)
    select (select count(*) from added) as added, (select count(*) from changed) as changed,
      (select count(*) from removed) as removed,
      array(
        select users.id from users join scored on scored.user_id = users.id
        where (users.verified_coupons, users.deal_partners, users.rating_count, users.total_rating)
          <> (scored.verified_coupons, scored.deal_partners, scored.rating_count, scored.total_rating)) as miscounted`.execute(
    trx,
  );
  return written.rows[0] ?? { added: 0, changed: 0, removed: 0, miscounted: [] };
}

/** Ranks the entries of each category: 1 to n without gaps, ties by the earlier date. @returns how many have moved */
export async function rankEntries(trx: Trx, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update leaderboard set rank = ranked.rank, updated_at = ${at}
    from (
      select id, row_number() over (partition by category order by -score, reached_at, user_id)::integer as rank
      from leaderboard) as ranked
    where ranked.id = leaderboard.id and ranked.rank <> leaderboard.rank`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Stores how many verified coupons these people have listed, with how many people they have dealt, and how these have rated
 * them. Locks the people.
 */
export async function putCounts(trx: Trx, userIds: readonly number[], at: Date): Promise<void> {
  if (userIds.length === 0) return;
  // A statement of its own: the next one sees what those have committed that it has waited for.
  await sql`with ${lockedPeople(userIds)} select from locked`.execute(trx);
  await sql`
    update users set verified_coupons = scored.verified_coupons, deal_partners = scored.deal_partners,
      rating_count = scored.rating_count, total_rating = scored.total_rating
    from (${scoresOfPeople(userIds, at)}) as scored
    where users.id = scored.user_id`.execute(trx);
}

function selectEntries(db: Database, category: LeaderboardCategory) {
  return (
    db
      .selectFrom('leaderboard')
      .innerJoin('users', 'users.id', 'leaderboard.userId')
      .select(['leaderboard.id', 'leaderboard.rank', 'leaderboard.userId', 'users.username'])
      .select('users.pictureId')
      .select(['leaderboard.score', 'leaderboard.averageRating'])
      .select(['users.verifiedCoupons', 'users.successfulExchanges', 'users.acceptedBids'])
      .where('leaderboard.category', '=', category)
      // Banned and deleted people disappear at once, not only at the next refresh.
      .where('users.status', '!=', 'banned')
      .where('users.deletedAt', 'is', null)
  );
}

export type EntryRow = Awaited<ReturnType<typeof listEntries>>['rows'][number];

const BEST: ListOrder = {
  name: 'leaderboard',
  direction: 'asc',
  // As the ranks are. They have no index, because one change moves many.
  by: [
    [sql`-leaderboard.score`, 'numeric'],
    ['reachedAt', 'timestamptz'],
    ['userId', 'integer'],
  ],
};

/** A page of the leaderboard, best rank first. */
export async function listEntries(db: Database, category: LeaderboardCategory, paging: Paging) {
  const page = openPage(paging, BEST, COUNT_CAP);
  const rows = await page.select(selectEntries(db, category), 'leaderboard').execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, selectEntries(db, category), COUNT_CAP)) };
}

/** A person's entry; undefined without points or before the next refresh. */
export async function findEntry(db: Database, category: LeaderboardCategory, userId: number) {
  return selectEntries(db, category).where('leaderboard.userId', '=', userId).executeTakeFirst();
}

/** What a person has done, and their points. */
export interface ScoreRow {
  readonly userId: number;
  readonly verifiedCoupons: number;
  readonly successfulExchanges: number;
  readonly acceptedBids: number;
  readonly ratingCount: number;
  /** With one decimal; null without a visible rating. */
  readonly averageRating: number | null;
  readonly overall: number;
  readonly coupons: number;
  readonly exchanges: number;
  readonly bids: number;
  readonly ratings: number;
}

/**
 * Verified coupons per person who listed them: the owner of a coupon that never changed hands, or else its first giver,
 * so that nobody can gain points by buying or swapping. A code counts once, however often it is listed. A deleted
 * coupon does not count: its code is erased and could be listed again by another person. Imported public codes do not
 * count.
 */
function verifiedCoupons(userIds: readonly number[]): RawBuilder<unknown> {
  return sql`
    select user_id, count(*)::integer as found, max(listed_at) as reached_at from (
      select lister.user_id, coupons.code_hash, min(coupons.created_at) as listed_at
      from (
        select owner_id as user_id, id as coupon_id from coupons
        where deleted_at is null and is_verified and ${among('owner_id', userIds)}
          and not exists (select from coupon_transfers where coupon_transfers.coupon_id = coupons.id)
        union all
        select from_user_id, coupon_id from coupon_transfers as first
        where ${among('from_user_id', userIds)} and not exists (
          select from coupon_transfers as earlier
          where earlier.coupon_id = first.coupon_id and earlier.id < first.id)) as lister
      join coupons on coupons.id = lister.coupon_id
      where coupons.is_verified and coupons.deleted_at is null
        and coupons.category not in (${sql.join(PERSONAL_CATEGORIES)})
      group by lister.user_id, coupons.code_hash) as codes
    group by user_id`;
}

/**
 * Per kind, how many people each person has first met in it, by deals that count without sales that were undone, and when
 * the last of them. The counterpart in a ring is whoever gave to them.
 */
function dealCounts(userIds: readonly number[]): RawBuilder<unknown> {
  const sideOf = (kind: 'exchanges' | 'bids', mine: string, theirs: string) => sql`
    select ${sql.lit(kind)} as kind, ${sql.ref(mine)} as user_id, ${sql.ref(theirs)} as other_id, completed_at, id
    from counted_deals where ${sql.ref(kind === 'bids' ? 'bid_id' : 'exchange_id')} is not null
      and not is_undone and ${among(mine, userIds)}`;
  return sql`
    select kind, user_id, count(*)::integer as counted, max(completed_at) as reached_at
    from (
      select distinct on (user_id, other_id) kind, user_id, completed_at
      from (
        ${sideOf('exchanges', 'receiver_id', 'giver_id')}
        union all ${sideOf('bids', 'receiver_id', 'giver_id')}
        union all ${sideOf('bids', 'giver_id', 'receiver_id')}) as deals
      order by user_id, other_id, completed_at, id) as firsts
    group by kind, user_id`;
}

/**
 * The points of decisions 5.6 by the contract's POINTS, each with the date on which the score was reached: that of the
 * last event that gave points. Without ratings the points for ratings are 0 and not the prior, which would rank new
 * people above those who have earned points. By time alone they change only when ratings become
 * visible, which marks these as counted; all other changes are those of the triggers that fill `leaderboard_queue`.
 */
function scoresOfPeople(userIds: readonly number[], at: Date): RawBuilder<unknown> {
  const { ratingPrior, ratingWeight, perRatingPoint } = POINTS;
  return sql`
    with counted_deals as (${dealCounts(userIds)}),
    parts as (
      select users.id as user_id,
        coalesce(verified.found, 0) as verified_coupons,
        users.successful_exchanges, users.accepted_bids,
        coalesce(exchanges.counted, 0) + coalesce(bids.counted, 0) as deal_partners,
        coalesce(rated.found, 0) as rating_count, coalesce(rated.total, 0) as total_rating,
        round(rated.total::numeric / rated.found, 1) as average_rating,
        coalesce(verified.found, 0) * ${POINTS.verifiedCoupon}::numeric as coupons,
        coalesce(exchanges.counted, 0) * ${POINTS.completedExchange}::numeric as exchanges,
        coalesce(bids.counted, 0) * ${POINTS.completedSale}::numeric as bids,
        coalesce(round((${ratingPrior}::numeric * ${ratingWeight}::numeric + rated.total)
          / (${ratingWeight}::numeric + rated.found) * ${perRatingPoint}::numeric, 1), 0) as ratings,
        verified.reached_at as coupons_at, exchanges.reached_at as exchanges_at,
        bids.reached_at as bids_at, rated.reached_at as ratings_at
      from users
      left join (${verifiedCoupons(userIds)}) as verified on verified.user_id = users.id
      left join counted_deals as exchanges on exchanges.user_id = users.id and exchanges.kind = 'exchanges'
      left join counted_deals as bids on bids.user_id = users.id and bids.kind = 'bids'
      left join (${visibleRatings(userIds, at)}) as rated on rated.user_id = users.id
      where ${among('users.id', userIds)})
    select *, coupons + exchanges + bids + ratings as overall,
      greatest(coupons_at, exchanges_at, bids_at, ratings_at) as overall_at
    from parts`;
}

/** Counts the points of these people at the time `at`, in no particular order. */
export async function countScores(
  db: Database | Trx,
  userIds: readonly number[],
  at: Date,
): Promise<ScoreRow[]> {
  const found = await sql<ScoreRow>`
    select user_id, verified_coupons, successful_exchanges, accepted_bids, rating_count,
      average_rating::float8, overall::float8, coupons::float8, exchanges::float8, bids::float8, ratings::float8
    from (${scoresOfPeople(userIds, at)}) as scored`.execute(db);
  return found.rows;
}

/** The same without counting, of those who can have entries and about whom nothing has changed since they were counted. */
export async function findScores(
  db: Database | Trx,
  userIds: readonly number[],
  at: Date,
): Promise<ScoreRow[]> {
  const scores = LEADERBOARD_CATEGORIES.map(
    (category) =>
      sql`coalesce(max(score) filter (where category = ${category}), 0)::float8 as ${sql.ref(category)}`,
  );
  const found = await sql<ScoreRow>`
    select users.id as user_id, verified_coupons, successful_exchanges, accepted_bids, rating_count,
      ${meanRating('users')} as average_rating, ${sql.join(scores)}
    from users left join leaderboard on leaderboard.user_id = users.id
    where ${among('users.id', userIds)} and status <> 'banned' and deleted_at is null
      and not exists (select from leaderboard_queue as queued where queued.user_id = users.id)
      and not exists (
        select from user_ratings where rated_user_id = users.id and not is_counted and visible_at <= ${at})
    group by users.id`.execute(db);
  return found.rows;
}
