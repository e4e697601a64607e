import { removePastTokens } from '#server/domains/accounts/links.ts';
import { delistPastCoupons } from '#server/domains/coupons/service.ts';
import { cleanUpImages } from '#server/domains/images/service.ts';
import { forgetEndedMail } from '#server/domains/notifications/sending.ts';
import { removeExpiredSessions } from '#server/domains/sessions/service.ts';
import { cleanUpValidations } from '#server/domains/validations/service.ts';
import type { Job } from './job.ts';

/** Clears away what has run out. Rate limits are not among it: their library sweeps its own table. */
export const cleanUp: Job = {
  name: 'clean-up',
  cron: '7 * * * *',
  async run(ctx) {
    await removeExpiredSessions(ctx);
    await removePastTokens(ctx);
    await forgetEndedMail(ctx);
    await delistPastCoupons(ctx);
    await cleanUpImages(ctx);
    await cleanUpValidations(ctx);
  },
};
