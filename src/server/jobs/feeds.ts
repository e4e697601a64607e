import { refreshFeeds, removePastOffers } from '#server/coupons/discover/service.ts';
import { takeFeedPictures } from '#server/coupons/publishing/service.ts';
import { followFeeds } from '#server/oversight/sources/service.ts';
import { endOfRun, type Job } from './job.ts';

/** Reads the feeds that are due. */
const feeds: Job = {
  name: 'feeds',
  cron: '* * * * *',
  async run(ctx) {
    await followFeeds(ctx);
    const done = await refreshFeeds(ctx);
    if (done.failed > 0) ctx.log.warn(done, 'not every feed could be read');
  },
};

/** Removes public offers that have ended; runs just after midnight too, when days change. */
const pastOffers: Job = { name: 'past-offers', cron: '1 * * * *', run: removePastOffers };

/** Adds pictures to coupons imported from feeds. */
const feedPictures: Job = {
  name: 'feed-pictures',
  cron: '* * * * *',
  async run(ctx, stopping) {
    const done = await takeFeedPictures(ctx, endOfRun(stopping));
    if (done.taken + done.givenUp > 0) ctx.log.info(done, 'pictures of imported offers were fetched');
  },
};

export const FEED_JOBS: readonly Job[] = [feeds, pastOffers, feedPictures];
