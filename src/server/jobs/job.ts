import type { Context } from '#server/domains/context.ts';

/** Something that the clock does, once over all processes. */
export interface Job {
  readonly name: string;
  /** When, in UTC. */
  readonly cron: string;
  run(ctx: Context): Promise<void>;
}
