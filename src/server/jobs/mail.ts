import { setTimeout as sleep } from 'node:timers/promises';
import { accountLinks } from '#server/domains/accounts/links.ts';
import { sendWaitingMail } from '#server/domains/notifications/sending.ts';
import type { Job } from './job.ts';

/** Somebody who has asked for a link is looking at their inbox. */
const LOOK_EVERY_MS = 3_000;
/** Each run looks for most of its minute, so that the next one follows at once. */
const RUN_MS = 55_000;

/** Sends the mail that waits, within seconds of what it tells of. */
export const mail: Job = {
  name: 'mail',
  cron: '* * * * *',
  async run(ctx, stopping) {
    const end = AbortSignal.any([stopping, AbortSignal.timeout(RUN_MS)]);
    while (!end.aborted) {
      const { sent, failed } = await sendWaitingMail(ctx, accountLinks, end);
      if (sent + failed > 0) ctx.log.info({ sent, failed }, 'waiting mail was sent');
      await sleep(LOOK_EVERY_MS, undefined, { signal: end }).catch(() => {});
    }
  },
};
