import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import type { Job } from './job.ts';

/** Ends the deals whose time is up, within a minute of it. */
export const deadlines: Job = {
  name: 'deadlines',
  cron: '* * * * *',
  async run(ctx) {
    const ended = await lapseDeadlines(ctx);
    if (ended > 0) ctx.log.info({ ended }, 'deals whose time was up were ended');
  },
};
