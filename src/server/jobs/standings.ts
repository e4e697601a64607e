import { finishStandings } from '#server/domains/moderation/effects.ts';
import type { Job } from './job.ts';

/** Finishes bans, ends of bans and departures that were interrupted, or had to wait for a payment or a provider. */
export const standings: Job = {
  name: 'standings',
  cron: '* * * * *',
  async run(ctx) {
    const done = await finishStandings(ctx);
    if (done.people + done.cards > 0) ctx.log.info(done, 'standings were finished');
  },
};
