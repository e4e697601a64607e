import type { LeaderboardEntry, ListLeaderboardInput, OwnEntryInput, Scores } from '#contract/leaderboard.ts';
import type { Page } from '#contract/primitives.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { countVerifiedCoupons } from '../deals/service.ts';
import type { EntryRow, ScoreRow } from './store.ts';
import * as store from './store.ts';

const REFRESH_SECONDS = 120;

/**
 * Ranks everybody anew (decisions 5.6), all in one transaction, and writes down how many verified coupons each person
 * has listed.
 * @returns how many rows were written; null when another process is at it
 */
export async function refreshLeaderboard(ctx: Context): Promise<store.Refreshed | null> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await store.takeRefresh(trx))) return null;
    await store.allowSeconds(trx, REFRESH_SECONDS);
    const at = ctx.clock();
    const refreshed = await store.rankEverybody(trx, at);
    await countVerifiedCoupons(trx, await store.miscountedCoupons(trx));
    return refreshed;
  });
}

/**
 * A page of the leaderboard, as of its last refresh.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listLeaderboard(
  ctx: Context,
  { category, ...paging }: ListLeaderboardInput,
): Promise<Page<LeaderboardEntry>> {
  const { rows, ...counts } = await store.listEntries(ctx.db, category, paging);
  return { items: rows.map(toEntry), ...counts, nextCursor: null };
}

/** The caller's own place; null for whoever has no points, or had none at the last refresh. */
export async function ownEntry(
  ctx: MemberContext,
  { category }: OwnEntryInput,
): Promise<LeaderboardEntry | null> {
  const row = await store.findEntry(ctx.db, category, ctx.actor.id);
  return row ? toEntry(row) : null;
}

/** What these people have done and the points for it, as it stands at `at`, by their ids. */
export async function scoresOf(
  db: Database | Trx,
  userIds: readonly number[],
  at: Date,
): Promise<Map<number, Reputation>> {
  const rows = await store.scoresOf(db, userIds, at);
  return new Map(rows.map((row) => [row.userId, toReputation(row)]));
}

/** A place on the leaderboard, for anybody. */
function toEntry(row: EntryRow): LeaderboardEntry {
  return {
    id: row.id,
    rank: row.rank,
    userId: row.userId,
    username: row.username,
    profileImageUrl: null,
    score: Number(row.score),
    stats: {
      verifiedCoupons: row.verifiedCoupons,
      successfulExchanges: row.successfulExchanges,
      acceptedBids: row.acceptedBids,
      averageRating: row.averageRating === null ? null : Number(row.averageRating),
    },
  };
}

/** What a person has done, and the points for it. */
export interface Reputation {
  readonly scores: Scores;
  readonly verifiedCoupons: number;
  readonly successfulExchanges: number;
  readonly acceptedBids: number;
  readonly ratingCount: number;
  readonly averageRating: number | null;
}

/** The same of one person, as it stands now, for anybody. */
function toReputation(row: ScoreRow): Reputation {
  const { userId: _, overall, coupons, exchanges, bids, ratings, ...counts } = row;
  return { ...counts, scores: { overall, coupons, exchanges, bids, ratings } };
}
