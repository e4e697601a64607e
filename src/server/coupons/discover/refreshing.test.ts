import { beforeEach, expect, it } from 'vitest';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import { type Feed, FeedRefusal } from '#server/readers/feeds/feeds.ts';
import { setUpFreshContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { aFeedOffer, feedRows } from '#tests/support/feeds.ts';
import { refreshFeeds } from './refreshing.ts';

const database = setUpDatabase();
const ctx = setUpFreshContext(database);
beforeEach(async () => {
  await database.pool.query('truncate feeds, feed_offers, feed_merchants cascade');
});

async function codes() {
  const { rows } = await database.pool.query<{ code: string }>('select code from feed_offers order by id');
  return rows.map(({ code }) => code);
}

/** A feed that answers `next()` and records the etag of each request. */
function aFeed(name: string, next: () => Awaited<ReturnType<Feed['fetch']>>) {
  const asked: (string | null)[] = [];
  const feed: Feed = {
    name,
    everyHours: 6,
    async fetch(known) {
      asked.push(known.etag);
      return next();
    },
  };
  return { feed, asked };
}

const withFeeds = (...feeds: Feed[]) => ({ ...ctx, providers: { ...ctx.providers, feeds: () => feeds } });

const fetched = (etag: string, ...offers: FeedOffer[]) => ({
  isUnchanged: false as const,
  version: { etag, lastModified: null },
  rows: feedRows(...offers),
});

const states = async () =>
  (
    await database.pool.query(
      'select name, etag, problem, offers, refused, fetched_at as "fetchedAt" from feeds order by name',
    )
  ).rows;

it('reads a feed when it is due, with the etag of the last reading', async () => {
  const answers = [fetched('v1', aFeedOffer({ code: 'A' })), { isUnchanged: true as const }];
  const { feed, asked } = aFeed('shop', () => answers.shift() ?? fetched('v2', aFeedOffer({ code: 'B' })));
  const job = withFeeds(feed);
  expect(await refreshFeeds(job)).toEqual({ read: 1, failed: 0 });
  expect(await refreshFeeds(job)).toEqual({ read: 0, failed: 0 });
  ctx.clock.advanceDays(0.25);
  await refreshFeeds(job);
  expect(await codes()).toEqual(['A']);
  ctx.clock.advanceDays(0.25);
  await refreshFeeds(job);
  expect(await codes()).toEqual(['B']);
  expect(asked).toEqual([null, 'v1', 'v1']);
  expect(await states()).toEqual([
    { name: 'shop', etag: 'v2', problem: null, offers: 1, refused: 0, fetchedAt: ctx.clock() },
  ]);
});

it('continues after a feed that fails, stores the reason, and tries it again', async () => {
  const answers: (() => Awaited<ReturnType<Feed['fetch']>>)[] = [
    () => {
      throw new FeedRefusal('Its server answered with status 500.');
    },
    () => {
      throw new Error('a fault of ours with key=SECRET');
    },
    () => fetched('v1', aFeedOffer({ code: 'A' })),
  ];
  const failing = aFeed('a-failing', () => {
    const answer = answers.shift();
    if (!answer) throw new Error('asked too often');
    return answer();
  });
  const other = aFeed('b-other', () => fetched('v1', aFeedOffer({ code: 'B' })));
  const job = withFeeds(failing.feed, other.feed);
  expect(await refreshFeeds(job)).toEqual({ read: 1, failed: 1 });
  expect(await states()).toMatchObject([
    { problem: 'Its server answered with status 500.', fetchedAt: null },
    { problem: null, offers: 1 },
  ]);
  expect(await refreshFeeds(job)).toEqual({ read: 0, failed: 0 });
  ctx.clock.advanceDays(1 / 24);
  expect(await refreshFeeds(job)).toEqual({ read: 0, failed: 1 });
  expect(await states()).toMatchObject([{ problem: 'Reading it failed: see the log.' }, {}]);
  ctx.clock.advanceDays(1 / 24);
  expect(await refreshFeeds(job)).toEqual({ read: 1, failed: 0 });
  expect(await states()).toMatchObject([{ problem: null, etag: 'v1' }, {}]);
  expect(other.asked).toEqual([null]);
});

it('does not store the version of a feed that broke off', async () => {
  const { feed, asked } = aFeed('shop', () => ({
    isUnchanged: false,
    version: { etag: 'v1', lastModified: null },
    rows: (async function* () {
      yield* feedRows(aFeedOffer());
      throw new FeedRefusal('It broke off.');
    })(),
  }));
  await refreshFeeds(withFeeds(feed));
  ctx.clock.advanceDays(1 / 24);
  await refreshFeeds(withFeeds(feed));
  expect(asked).toEqual([null, null]);
});

it('begins one reading where several processes find a feed due', async () => {
  const { feed, asked } = aFeed('shop', () => fetched('v1', aFeedOffer()));
  await Promise.all(Array.from({ length: 4 }, () => refreshFeeds(withFeeds(feed))));
  expect(asked).toEqual([null]);
});

it('tries a feed again after an hour whose reading a crash has ended', async () => {
  const { feed, asked } = aFeed('shop', () => fetched('v1', aFeedOffer()));
  await refreshFeeds(withFeeds(feed));
  ctx.clock.advanceDays(0.25);
  await database.pool.query('update feeds set tried_at = $1', [ctx.clock()]);
  expect(await refreshFeeds(withFeeds(feed))).toEqual({ read: 0, failed: 0 });
  ctx.clock.advanceDays(1 / 24);
  expect(await refreshFeeds(withFeeds(feed))).toEqual({ read: 1, failed: 0 });
  expect(asked).toEqual([null, 'v1']);
});
