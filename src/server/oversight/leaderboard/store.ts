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

/** The key of the advisory lock; no other lock in the database uses it. */
const REFRESH_LOCK = 1_129_075_554;

/** Locks the refresh for this transaction. @returns false if another process holds the lock */
export async function tryLockRefresh(trx: Trx): Promise<boolean> {
  const taken = await sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(${REFRESH_LOCK}) as is_taken`.execute(trx);
  return taken.rows[0]?.isTaken ?? false;
}

/** How many rows a refresh has written. */
export interface Refreshed {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Recalculates the ranks in each category: 1 to n without gaps, ties by the earlier date. Banned and deleted people and
 * people without points are not ranked. Only rows that differ are written.
 */
export async function rankEverybody(trx: Trx, at: Date): Promise<Refreshed> {
  const scores = LEADERBOARD_CATEGORIES.map(
    (category) => sql`(${sql.lit(category)}, ${sql.ref(category)}, ${sql.ref(`${category}_at`)})`,
  );
  const counted = await sql<Refreshed>`
    with scored as materialized (${scoresOfPeople(null, at)}),
    ranked as materialized (
      select scored.user_id, entry.category, entry.score, scored.average_rating, entry.reached_at,
        row_number() over (partition by entry.category
          order by entry.score desc, entry.reached_at, scored.user_id)::integer as rank
      from scored
      join users on users.id = scored.user_id
      cross join lateral (values ${sql.join(scores)}) as entry (category, score, reached_at)
      where entry.score > 0 and users.status <> 'banned' and users.deleted_at is null),
    changed as (
      update leaderboard set rank = ranked.rank, score = ranked.score, average_rating = ranked.average_rating,
        reached_at = ranked.reached_at, updated_at = ${at}
      from ranked
      where leaderboard.user_id = ranked.user_id and leaderboard.category = ranked.category
        and (leaderboard.rank, leaderboard.score, leaderboard.average_rating, leaderboard.reached_at)
          is distinct from (ranked.rank, ranked.score, ranked.average_rating, ranked.reached_at)
      returning leaderboard.id),
    added as (
      insert into leaderboard (user_id, category, rank, score, average_rating, reached_at, updated_at)
      select user_id, category, rank, score, average_rating, reached_at, ${at} from ranked
      where not exists (
        select from leaderboard as old where old.user_id = ranked.user_id and old.category = ranked.category)
      order by category, rank
      returning id),
    removed as (
      delete from leaderboard where not exists (
        select from ranked
        where ranked.user_id = leaderboard.user_id and ranked.category = leaderboard.category)
      returning id)
    select (select count(*) from added) as added, (select count(*) from changed) as changed,
      (select count(*) from removed) as removed`.execute(trx);
  return counted.rows[0] ?? { added: 0, changed: 0, removed: 0 };
}

/** The people whose stored number of verified coupons is wrong, with the right number. */
export async function miscountedCoupons(trx: Trx): Promise<Found[]> {
  const found = await sql<Found>`
    select users.id as user_id, coalesce(verified.found, 0) as found
    from users left join (${verifiedCoupons(null)}) as verified on verified.user_id = users.id
    where users.verified_coupons <> coalesce(verified.found, 0)`.execute(trx);
  return found.rows;
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
  by: [
    ['rank', 'integer'],
    ['id', 'integer'],
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
function verifiedCoupons(userIds: readonly number[] | null): RawBuilder<unknown> {
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
function dealCounts(userIds: readonly number[] | null): RawBuilder<unknown> {
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

/** The people whose stored number of deal partners is wrong, with the right number. */
export async function miscountedPartners(trx: Trx): Promise<Found[]> {
  const found = await sql<Found>`
    select users.id as user_id, coalesce(partners.found, 0) as found
    from users left join (
      select user_id, sum(counted)::integer as found from (${dealCounts(null)}) as deals group by user_id
    ) as partners on partners.user_id = users.id
    where users.deal_partners <> coalesce(partners.found, 0)`.execute(trx);
  return found.rows;
}

/**
 * The points of decisions 5.6 by the contract's POINTS, each with the date on which the score was reached: that of the
 * last event that gave points. Without ratings the points for ratings are 0 and not the prior, which would rank new
 * people above those who have earned points. One statement for a single person and for the whole leaderboard.
 * @param userIds null: everybody
 */
function scoresOfPeople(userIds: readonly number[] | null, at: Date): RawBuilder<unknown> {
  const { ratingPrior, ratingWeight, perRatingPoint } = POINTS;
  return sql`
    with counted_deals as (${dealCounts(userIds)}),
    parts as (
      select users.id as user_id,
        coalesce(verified.found, 0) as verified_coupons,
        users.successful_exchanges, users.accepted_bids,
        coalesce(rated.found, 0) as rating_count,
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

/** The points of these people at the time `at`, in no particular order. */
export async function scoresOf(
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

/** What the leaderboard has counted for a person. */
interface Found {
  readonly userId: number;
  readonly found: number;
}

/** Stores how many verified coupons each person has listed, or with how many people they have dealt. */
export async function setCounted(
  trx: Trx,
  column: 'verifiedCoupons' | 'dealPartners',
  counts: readonly Found[],
): Promise<void> {
  if (counts.length === 0) return;
  const ids = counts.map(({ userId }) => userId);
  await sql`
    with ${lockedPeople(ids)}
    update users set ${sql.ref(column)} = counted.found
    from locked
      join unnest(${ids}::integer[], ${counts.map(({ found }) => found)}::integer[]) as counted (user_id, found)
        on counted.user_id = locked.id
    where users.id = locked.id`.execute(trx);
}
