import { remindOfExpiry } from '#server/domains/coupons/reminders.ts';
import type { Job } from './job.ts';

/** Reminds people of coupons that are about to expire; every hour, so that a day is not missed by an outage. */
export const reminders: Job = {
  name: 'reminders',
  cron: '23 * * * *',
  async run(ctx) {
    const given = await remindOfExpiry(ctx);
    if (given > 0) ctx.log.info({ given }, 'people were reminded of coupons that expire');
  },
};
