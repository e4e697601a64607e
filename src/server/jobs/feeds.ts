import { refreshFeeds } from '#server/domains/discover/refreshing.ts';
import type { Job } from './job.ts';

/** Reads the feeds that are due and drops offers that are over; right after midnight, when days end and begin. */
export const feeds: Job = {
  name: 'feeds',
  cron: '1 * * * *',
  async run(ctx) {
    const done = await refreshFeeds(ctx);
    if (done.failed > 0) ctx.log.warn(done, 'not every feed could be read');
  },
};
