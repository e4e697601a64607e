import type { Page } from '#contract/base/primitives.ts';
import type {
  LeaderboardEntry,
  ListLeaderboardInput,
  OwnEntryInput,
  Scores,
} from '#contract/oversight/leaderboard.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { inLongTransaction } from '#server/database/long-transaction.ts';
import { recountRatings } from '#server/deals/ratings/service.ts';
import type { EntryRow, ScoreRow } from './store.ts';
import * as store from './store.ts';

const REFRESH_SECONDS = 120;

/**
 * Recalculates all ranks (decisions 5.6) in one transaction, and stores how many verified coupons each person has
 * listed, with how many people they have dealt, and how these have rated them.
 * @returns how many rows were written; null if another process is already doing this
 */
export async function refreshLeaderboard(ctx: Context): Promise<store.Refreshed | null> {
  return inLongTransaction(ctx.db, REFRESH_SECONDS, async (trx) => {
    if (!(await store.tryLockRefresh(trx))) return null;
    const at = ctx.clock();
    const refreshed = await store.rankEverybody(trx, at);
    await store.setCounted(trx, 'verifiedCoupons', await store.miscountedCoupons(trx));
    await store.setCounted(trx, 'dealPartners', await store.miscountedPartners(trx));
    await recountRatings(trx, at);
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
  const { rows, ...page } = await store.listEntries(ctx.db, category, paging);
  return { items: rows.map(toEntry), ...page };
}

/** The caller's own entry; null if they had no points at the last refresh. */
export async function ownEntry(
  ctx: MemberContext,
  { category }: OwnEntryInput,
): Promise<LeaderboardEntry | null> {
  const row = await store.findEntry(ctx.db, category, ctx.actor.id);
  return row ? toEntry(row) : null;
}

/** The deeds and points of these people at the time `at`, by their ids. */
export async function scoresOf(
  db: Database | Trx,
  userIds: readonly number[],
  at: Date,
): Promise<Map<number, Reputation>> {
  const rows = await store.scoresOf(db, userIds, at);
  return new Map(rows.map((row) => [row.userId, toReputation(row)]));
}

/** A leaderboard entry, for anybody. */
function toEntry(row: EntryRow): LeaderboardEntry {
  return {
    id: row.id,
    rank: row.rank,
    userId: row.userId,
    username: row.username,
    profileImageUrl: pictureUrl(row.pictureId),
    score: Number(row.score),
    stats: {
      verifiedCoupons: row.verifiedCoupons,
      successfulExchanges: row.successfulExchanges,
      acceptedBids: row.acceptedBids,
      averageRating: row.averageRating === null ? null : Number(row.averageRating),
    },
  };
}

/** What a person has done, and their points. */
export interface Reputation {
  readonly scores: Scores;
  readonly verifiedCoupons: number;
  readonly successfulExchanges: number;
  readonly acceptedBids: number;
  readonly ratingCount: number;
  readonly averageRating: number | null;
}

function toReputation(row: ScoreRow): Reputation {
  const { userId: _, overall, coupons, exchanges, bids, ratings, ...counts } = row;
  return { ...counts, scores: { overall, coupons, exchanges, bids, ratings } };
}
