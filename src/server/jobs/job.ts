import type { Context } from '#server/domains/context.ts';

/** Something that the clock does, once over all processes. */
export interface Job {
  readonly name: string;
  /** When, in UTC. */
  readonly cron: string;
  /** @param stopping aborts when the program stops: a run that goes on for long ends itself then */
  run(ctx: Context, stopping: AbortSignal): Promise<void>;
}
