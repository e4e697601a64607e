import { addDays } from '#server/core/clock.ts';
import { unlimited } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';
import type { Actor } from '#server/domains/context.ts';
import type { Program } from '#server/program.ts';
import type { AppDeps, CallContext } from '#server/trpc/context.ts';
import { appRouter } from '#server/trpc/root.ts';

/** Where the demo is played: every call goes the way of a browser's, past the limits, at a time of our choosing. */
export interface Stage {
  /** Sets the time of what happens next, in days before the present. */
  turnBack(daysAgo: number): void;
  /** The context of nobody, or of somebody signed in. */
  contextOf(actor: Actor | null): CallContext;
  /** The calls, made by nobody or by somebody signed in. */
  callsOf(actor: Actor | null): ReturnType<typeof appRouter.createCaller>;
  /** The payment sandboxes, where buyers and sellers do their part. */
  readonly sandbox: Program['sandbox'];
}

/** @param db takes the place of the program's own */
export function createStage(deps: AppDeps, db: Database, present: Date, sandbox: Program['sandbox']): Stage {
  let now = present;
  const sessionCookie = { token: null, set: () => {}, clear: () => {} };
  const base = {
    ...deps,
    db,
    clock: () => now,
    limiter: unlimited,
    ip: 'demo',
    userAgent: '',
    sessionCookie,
  };
  const contextOf = (actor: Actor | null) => ({ ...base, actor });
  return {
    turnBack(daysAgo) {
      now = addDays(present, -daysAgo);
    },
    contextOf,
    sandbox,
    callsOf: (actor) => appRouter.createCaller(contextOf(actor)),
  };
}
