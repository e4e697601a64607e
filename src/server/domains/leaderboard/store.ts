import { sql } from 'kysely';
import { LEADERBOARD_CATEGORIES, type LeaderboardCategory } from '#contract/leaderboard.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';
import { scoresOfPeople, verifiedCoupons } from './scores-store.ts';

/** Any number that nothing else in the database locks by. */
const REFRESH_LOCK = 1_129_075_554;

/** Takes the refresh for this transaction; false when another process is at it. */
export async function takeRefresh(trx: Trx): Promise<boolean> {
  const taken = await sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(${REFRESH_LOCK}) as is_taken`.execute(trx);
  return taken.rows[0]?.isTaken ?? false;
}

/** A job may read for longer than a call. */
export async function allowSeconds(trx: Trx, seconds: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(trx);
}

/** How many rows a refresh has written. */
export interface Refreshed {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Ranks everybody anew in each category: 1 to n without gaps, ties by the earlier date. Banned people and those who
 * have left are not ranked, nor is anybody without points. Only rows that differ are written.
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

/** The people whose number of verified coupons is not the one written down with them. */
export async function miscountedCoupons(trx: Trx): Promise<{ userId: number; found: number }[]> {
  const found = await sql<{ userId: number; found: number }>`
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
      .select(['leaderboard.score', 'leaderboard.averageRating'])
      .select(['users.verifiedCoupons', 'users.successfulExchanges', 'users.acceptedBids'])
      .where('leaderboard.category', '=', category)
      // At once, and not with the next refresh only.
      .where('users.status', '!=', 'banned')
      .where('users.deletedAt', 'is', null)
  );
}

export type EntryRow = Awaited<ReturnType<typeof listEntries>>['rows'][number];

/** A page of the leaderboard, the first rank first. */
export async function listEntries(db: Database, category: LeaderboardCategory, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const rows = await selectEntries(db, category)
    .orderBy('leaderboard.rank')
    .orderBy('leaderboard.id')
    .limit(paging.limit)
    .offset(offset)
    .execute();
  return { rows, ...(await cappedTotal(db, selectEntries(db, category), COUNT_CAP)) };
}

/** Somebody's own place; undefined without points, or before the next refresh. */
export async function findEntry(db: Database, category: LeaderboardCategory, userId: number) {
  return selectEntries(db, category).where('leaderboard.userId', '=', userId).executeTakeFirst();
}
