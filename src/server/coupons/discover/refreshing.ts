import type { Context } from '#server/context/context.ts';
import { addHours, utcDay } from '#server/core/clock.ts';
import { type Feed, FeedRefusal } from '#server/readers/feeds/feeds.ts';
import * as store from './feeds-store.ts';
import { importFeed } from './importing.ts';

/** How many expired offers are removed at once. */
const EXPIRED_AT_ONCE = 5_000;
/** How long a feed rests that could not be read. */
const FAILED_HOURS = 1;
/** Nobody waits for the last minutes. */
const SLACK_MS = 5 * 60_000;

/**
 * Reads the feeds that are due, one after another. A feed that fails does not stop the others and is tried again after an
 * hour. Meant for every minute, so that a new feed is soon read.
 * @returns how many feeds were read, including unchanged ones, and how many failed
 */
export async function refreshFeeds(ctx: Context): Promise<{ read: number; failed: number }> {
  let [read, failed] = [0, 0];
  for (const feed of ctx.providers.feeds()) {
    const at = ctx.clock();
    const before = (hours: number) => new Date(at.getTime() - hours * 3_600_000 + SLACK_MS);
    const due = { settledBefore: before(feed.everyHours), failedBefore: before(FAILED_HOURS) };
    const known = await store.takeFeed(ctx.db, { name: feed.name, at, ...due });
    if (!known) continue;
    try {
      await refresh(ctx, feed, known);
      read += 1;
    } catch (error) {
      await noteProblem(ctx, feed.name, error);
      failed += 1;
    }
  }
  return { read, failed };
}

async function refresh(ctx: Context, feed: Feed, known: Parameters<Feed['fetch']>[0]): Promise<void> {
  const fetched = await feed.fetch(known);
  if (fetched.isUnchanged) {
    await store.markUnchanged(ctx.db, feed.name, ctx.clock());
    return;
  }
  const totals = await importFeed(ctx, { name: feed.name, ...fetched });
  ctx.log.info({ feed: feed.name, ...totals }, 'a feed was read');
}

async function noteProblem(ctx: Context, name: string, error: unknown): Promise<void> {
  const isRefusal = error instanceof FeedRefusal;
  if (isRefusal) ctx.log.warn({ feed: name, problem: error.message }, 'a feed could not be read');
  else ctx.log.error({ err: error, feed: name }, 'reading a feed failed');
  await store.markProblem(ctx.db, name, isRefusal ? error.message : 'Reading it failed: see the log.');
}

/** Removes expired offers and recounts the merchants' offers, since some start today. */
export async function removePastOffers(ctx: Context): Promise<void> {
  // In the last time zones a day ends 12 hours later than in UTC.
  const today = utcDay(addHours(ctx.clock(), -12));
  let removed: number;
  do {
    removed = await store.deleteExpired(ctx.db, { today, limit: EXPIRED_AT_ONCE });
  } while (removed === EXPIRED_AT_ONCE);
  await recountOffers(ctx);
}

/** Counts the offers of merchants again. */
export async function recountOffers({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await store.recountMerchants(db, clock());
}
