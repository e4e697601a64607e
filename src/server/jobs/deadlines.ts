import { expireDeals } from '#server/deals/lifecycle/service.ts';
import { WORKERS } from '#server/money/workers/service.ts';
import { feelPulse } from '#server/people/clocks/service.ts';
import type { Job } from './job.ts';

/** Ends deals whose deadline has passed, within a minute. During maintenance nobody can act, and all clocks stand still. */
const deadlines: Job = {
  name: 'deadlines',
  cron: '* * * * *',
  async run(ctx) {
    if (ctx.config.maintenance) return;
    await feelPulse(ctx.db, ctx.clock());
    const ended = await expireDeals(ctx);
    if (ended > 0) ctx.log.info({ ended }, 'deals whose time was up were ended');
  },
};

/** Workers of payments that end what people have not done in time; they rest during maintenance. */
const endsForPeople = (name: string) => name === 'payments-deadlines' || name.startsWith('unpaid-bids-');

/** Continue payments that need no user: lost answers, late events, deadlines, ended holds, payouts. */
const payments: readonly Job[] = Object.entries(WORKERS).map(([name, run]) => ({
  name,
  cron: '* * * * *',
  async run(ctx) {
    if (ctx.config.maintenance && endsForPeople(name)) return;
    if (!ctx.config.maintenance) await feelPulse(ctx.db, ctx.clock());
    const count = await run(ctx);
    if (count > 0) ctx.log.info({ worker: name, count }, 'payments were moved on');
  },
}));

/** What ends by its deadline, and what moves payments on. */
export const DEADLINE_JOBS: readonly Job[] = [deadlines, ...payments];
