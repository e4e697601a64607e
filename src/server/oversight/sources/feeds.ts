import { t } from '@lingui/core/macro';
import type { z } from 'zod';
import type {
  Feeds,
  feedsSchema,
  OwnFeed,
  PutFeedInput,
  RemoveSourceInput,
  StoredFeed,
  TriedFeed,
  TryFeedInput,
} from '#contract/oversight/sources.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { recountOffers } from '#server/coupons/discover/service.ts';
import { changeSettingFrom, latestChange } from '#server/people/settings/service.ts';
import { FeedRefusal } from '#server/readers/feeds/feeds.ts';
import { checking, keepTyped, keyFor, put, without } from './changing.ts';
import { feedBinding, feedSettingOf } from './composing.ts';
import * as store from './store.ts';

/** The feeds that are set up, by admins or in the operator's file, with their last readings. */
export async function listFeeds(ctx: MemberContext): Promise<z.output<typeof feedsSchema>> {
  const { lockedBy, changeId } = await latestChange(ctx, 'feeds');
  const own = ctx.settings.current().feeds;
  const names =
    lockedBy === null ? own.map(({ name }) => name) : ctx.providers.feeds().map(({ name }) => name);
  const readings = names.length === 0 ? [] : await store.listReadings(ctx.db, names);
  const feeds = names.map((name): Feeds['feeds'][number] => {
    const stored = lockedBy === null ? own.find((feed) => feed.name === name) : undefined;
    const reading = readings.find((each) => each.name === name);
    return {
      name,
      feed: stored ? withoutKey(stored) : null,
      hasKey: Boolean(stored?.keyId),
      triedAt: reading?.triedAt?.toISOString() ?? null,
      readAt: reading?.fetchedAt?.toISOString() ?? null,
      problem: reading?.problem ?? null,
      offers: reading?.offers ?? 0,
      refused: reading?.refused ?? 0,
    };
  });
  return { lockedBy, changeId, feeds };
}

function withoutKey({ keyId: _keyId, ...feed }: StoredFeed): OwnFeed {
  return feed;
}

/**
 * Adds a feed, or changes one. It is read within a minute.
 * @throws AppError bad_input, not_found, and as `changeSetting`
 */
export async function putFeed(ctx: MemberContext, input: PutFeedInput): Promise<void> {
  const { feed, key, isNew, follows } = input;
  await changeSettingFrom(ctx, { name: 'feeds', follows }, async (trx, own) => {
    const before = isNew ? undefined : own.find(({ name }) => name === feed.name);
    const typed = { key, before, boundTo: feedBinding(feed) };
    checking('feed', () => feedSettingOf(feed, keyFor(ctx, typed)));
    const keyId = await keepTyped(trx, ctx, typed);
    return put(own, { ...feed, keyId }, { form: 'feed', isNew });
  });
  await followFeeds(ctx);
  await store.readAgain(ctx.db, feed.name);
}

/**
 * Removes a feed, and what Discover shows of it.
 * @throws AppError not_found, and as `changeSetting`
 */
export async function removeFeed(ctx: MemberContext, { name, follows }: RemoveSourceInput): Promise<void> {
  await changeSettingFrom(ctx, { name: 'feeds', follows }, async (_trx, own) => without(own, name));
  await followFeeds(ctx);
}

const OFFERS_AT_ONCE = 5_000;

/**
 * Brings the readings in line with the feeds that admins have set up: what belongs to a feed that they have removed goes.
 * Also meant for a job, since a process may stop in the middle, and a change may be undone.
 */
export async function followFeeds(ctx: Pick<Context, 'db' | 'clock' | 'settings'>): Promise<void> {
  const names = ctx.settings.current().feeds.map(({ name }) => name);
  await store.noteOwnFeeds(ctx.db, names);
  const removed = await store.listRemovedFeeds(ctx.db, names);
  for (const name of removed) {
    await store.endReadings(ctx.db, name);
    while ((await store.deleteOffers(ctx.db, name, OFFERS_AT_ONCE)) === OFFERS_AT_ONCE);
    await store.deleteFeed(ctx.db, name);
  }
  if (removed.length > 0) await recountOffers(ctx);
}

/** How many offers a trial shows, and how many rows it looks at for them. */
const SHOWN = 3;
const LOOKED_AT = 1_000;

const TRIALS: RateLimit = { name: 'source-trials', points: 30, seconds: 600 };

/** @throws AppError rate_limited */
export async function limitTrials(ctx: MemberContext): Promise<void> {
  await enforceLimit(ctx.limiter, TRIALS, String(ctx.actor.id));
}

/**
 * Reads the beginning of a feed, and stores nothing.
 * @throws AppError bad_input, rate_limited
 */
export async function tryFeed(ctx: MemberContext, { feed, key }: TryFeedInput): Promise<TriedFeed> {
  await limitTrials(ctx);
  const before = ctx.settings.current().feeds.find(({ name }) => name === feed.name);
  const setting = checking('feed', () =>
    feedSettingOf(feed, keyFor(ctx, { key, before, boundTo: feedBinding(feed) })),
  );
  const offers: TriedFeed['offers'] = [];
  let rows = 0;
  let firstProblem: string | null = null;
  try {
    const fetched = await ctx.providers.tryFeed(setting).fetch({ etag: null, lastModified: null });
    if (fetched.isUnchanged) return { offers, problem: t`Its server says that nothing has changed.` };
    for await (const row of fetched.rows) {
      rows += 1;
      if ('problem' in row) firstProblem ??= row.problem;
      else {
        const { merchant, code, title, expiryDate } = row.offer;
        offers.push({ merchant, code, title, expiryDate });
      }
      if (offers.length === SHOWN || rows === LOOKED_AT) break;
    }
  } catch (error) {
    if (error instanceof FeedRefusal) return { offers, problem: error.message };
    throw error;
  }
  if (offers.length > 0) return { offers, problem: null };
  const problem = firstProblem ?? t`It has no rows.`;
  return { offers, problem: t`None of its rows is a coupon with a code. The first one: ${problem}` };
}
