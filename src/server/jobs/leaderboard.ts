import { refreshLeaderboard } from '#server/domains/leaderboard/service.ts';
import { countShownRatings } from '#server/domains/ratings/service.ts';
import type { Job } from './job.ts';

/** Counts the ratings that were hidden long enough, and ranks everybody anew. */
export const leaderboard: Job = {
  name: 'leaderboard',
  cron: '*/10 * * * *',
  async run(ctx) {
    const shown = await countShownRatings(ctx);
    const refreshed = await refreshLeaderboard(ctx);
    const { added = 0, changed = 0, removed = 0 } = refreshed ?? {};
    if (shown + added + changed + removed > 0) {
      ctx.log.info({ shown, added, changed, removed }, 'the leaderboard was refreshed');
    }
  },
};
