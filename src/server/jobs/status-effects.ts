import { finishStatusEffects } from '#server/domains/moderation/effects.ts';
import type { Job } from './job.ts';

/** Finishes bans, ends of bans and departures that were interrupted, or had to wait for a payment or a provider. */
export const statusEffects: Job = {
  name: 'status-effects',
  cron: '* * * * *',
  async run(ctx) {
    const done = await finishStatusEffects(ctx);
    if (done.people + done.cards > 0) ctx.log.info(done, 'effects of statuses were finished');
  },
};
