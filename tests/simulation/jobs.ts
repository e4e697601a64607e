import type { Context } from '#server/context/context.ts';
import { JOBS } from '#server/jobs/jobs.ts';

/** What has nothing to do here: nobody has given a push service, a wallet, a feed or a mail to read. */
const IDLE = ['push', 'wallet-passes', 'inbound-mail', 'feeds', 'feed-pictures', 'webhooks', 'data-exports'];

/** A job as a task. */
interface Work {
  readonly name: string;
  readonly run: (ctx: Context) => Promise<unknown>;
}

export const WORKS: readonly Work[] = JOBS.filter(({ name }) => !IDLE.includes(name)).map((job) => ({
  name: job.name,
  run: (ctx) => job.run(ctx, new AbortController().signal),
}));
