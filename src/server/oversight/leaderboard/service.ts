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
import { countShownRatings } from '#server/deals/ratings/service.ts';
import type { EntryRow, ScoreRow } from './store.ts';
import * as store from './store.ts';

const REFRESH_SECONDS = 120;
/** Rows of the queue that one transaction counts. */
const AT_ONCE = 10_000;

/** How many entries a refresh has written, and how many have another rank. */
export interface Refreshed {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly moved: number;
}

/**
 * Counts the points of those again about whom something has changed (decisions 5.6), and ranks everybody; and stores how many
 * verified coupons each of them has listed, with how many people they have dealt, and how these have rated them. Each
 * transaction counts some people and leaves a whole leaderboard. While another process does it, this one leaves it to that.
 * @param signal stops early, after the transaction under way
 */
export async function refreshLeaderboard(ctx: Context, signal?: AbortSignal): Promise<Refreshed> {
  await countShownRatings(ctx);
  const sum = { added: 0, changed: 0, removed: 0, moved: 0 };
  for (let taken = AT_ONCE; taken === AT_ONCE && !signal?.aborted; ) {
    const done = await inLongTransaction(ctx.db, REFRESH_SECONDS, (trx) => refreshPart(trx, ctx.clock()));
    taken = done?.taken ?? 0;
    for (const name of ['added', 'changed', 'removed', 'moved'] as const) sum[name] += done?.[name] ?? 0;
  }
  return sum;
}

async function refreshPart(trx: Trx, at: Date): Promise<(Refreshed & { taken: number }) | null> {
  if (!(await store.tryLockRefresh(trx))) return null;
  const { taken, userIds } = await store.takeQueued(trx, AT_ONCE);
  if (taken === 0) return null;
  const { miscounted, ...written } = await store.putEntries(trx, userIds, at);
  const isOther = written.added + written.changed + written.removed > 0;
  const moved = isOther ? await store.rankEntries(trx, at) : 0;
  // Locks people, so it comes last.
  await store.putCounts(trx, miscounted, at);
  return { taken, ...written, moved };
}

/** Has everybody counted again by the next refresh, in case something was missed. @returns how many people */
export async function recountEverybody(ctx: Context): Promise<number> {
  return store.queueEverybody(ctx.db);
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

/** The deeds and points of these people at the time `at`, by their ids: counted again where something has changed. */
export async function scoresOf(
  db: Database | Trx,
  userIds: readonly number[],
  at: Date,
): Promise<Map<number, Reputation>> {
  const known = await store.findScores(db, userIds, at);
  const others = userIds.filter((id) => known.every(({ userId }) => userId !== id));
  const counted = others.length > 0 ? await store.countScores(db, others, at) : [];
  return new Map([...known, ...counted].map((row) => [row.userId, toReputation(row)]));
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
