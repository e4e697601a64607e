import { reconcilePayments } from '#server/domains/payments/reconcile.ts';
import type { Job } from './job.ts';

/** Moves payments on that wait for nobody: lost answers, late events, deadlines, holds that are over, payouts. */
export const payments: Job = {
  name: 'payments',
  cron: '* * * * *',
  async run(ctx) {
    const done = await reconcilePayments(ctx);
    const isIdle = Object.values(done).every((count) => count === 0);
    if (!isIdle) ctx.log.info(done, 'payments were moved on');
  },
};
