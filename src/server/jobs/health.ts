import { checkOffers, refreshHealth, sweepHealth } from '#server/deals/health/service.ts';
import type { Job } from './job.ts';

/** Computes how likely codes are to work, within seconds after something has changed. */
const health: Job = {
  name: 'health',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    await refreshHealth(ctx, end);
  },
};

/** Counts who was right about codes, and finds those of which another figure is true by now: what is known ages. */
const healthSweep: Job = {
  name: 'health-sweep',
  cron: '50 3 * * *',
  async run(ctx, stopping) {
    const queued = await sweepHealth(ctx, stopping);
    ctx.log.info({ queued }, 'what is known of codes is computed again');
  },
};

/** Asks merchants' own accounts again about what is on offer. */
const codeChecks: Job = {
  name: 'code-checks',
  cron: '37 * * * *',
  async run(ctx, stopping) {
    const done = await checkOffers(ctx, stopping);
    if (done.asked > 0) ctx.log.info(done, 'codes on offer were checked again');
  },
};

export const HEALTH_JOBS: readonly Job[] = [health, healthSweep, codeChecks];
