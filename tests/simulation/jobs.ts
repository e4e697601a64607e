import type { Context } from '#server/context/context.ts';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { continueReissues } from '#server/deals/exchanges/reissuing.ts';
import { refreshHealth } from '#server/deals/health/service.ts';
import { findMatches } from '#server/deals/matches/find-matches.ts';
import { JOBS } from '#server/jobs/jobs.ts';
import { accountLinks } from '#server/people/accounts/links.ts';
import { sendWaitingMail } from '#server/people/notifications/sending.ts';

const never = new AbortController().signal;

/** Jobs that look every few seconds: one look of each. */
const LOOKS: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
  mail: (ctx) => sendWaitingMail(ctx, accountLinks),
  wants: (ctx) => notifyOfCoupons(ctx, never),
  matches: (ctx) => findMatches(ctx, { signal: never }),
  reissues: (ctx) => continueReissues(ctx),
  health: (ctx) => refreshHealth(ctx, never),
};
/** What has nothing to do here: nobody has given a push service, a wallet, a feed or a mail to read. */
const IDLE = ['push', 'wallet-passes', 'inbound-mail', 'feeds', 'feed-pictures', 'webhooks', 'data-exports'];

/** A job as a task. */
interface Work {
  readonly name: string;
  readonly run: (ctx: Context) => Promise<unknown>;
}

export const WORKS: readonly Work[] = JOBS.filter(({ name }) => !IDLE.includes(name)).map((job) => ({
  name: job.name,
  run: LOOKS[job.name] ?? ((ctx) => job.run(ctx, never)),
}));
