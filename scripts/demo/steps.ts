import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { unlimited } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';
import { appRouter } from '#server/router.ts';
import type { AppDeps, CallContext } from '#server/trpc/context.ts';
import type { DemoPerson } from './content.ts';
import { publishDrawing } from './pictures.ts';
import type { PlannedBid, PlannedCoupon, PlannedSwap } from './plan.ts';
import { demoValidators } from './programmes.ts';

/** Makes the demo's calls through the same API as a browser, without rate limits and at a given time. */
export interface DemoClient {
  /** Sets the time of the following calls, in days before the present. */
  setDaysAgo(daysAgo: number): void;
  /** The context of a visitor (null) or of a member. */
  contextOf(actor: Actor | null): CallContext;
  /** The calls of a visitor (null) or of a member. */
  callsOf(actor: Actor | null): ReturnType<typeof appRouter.createCaller>;
  /** Sends what a browser sends to a page of the payment providers, by the page's path or our address for it. */
  post(page: string, body: string): Promise<void>;
}

/** @param db used instead of the program's own */
export function createDemoClient(deps: AppDeps, db: Database, present: Date): DemoClient {
  let now = present;
  const noCookie = { token: null, set: () => {}, clear: () => {} };
  const base = {
    ...deps,
    providers: {
      ...deps.providers,
      validators: demoValidators,
      pictures: { ...deps.providers.pictures, publish: publishDrawing },
    },
    db,
    clock: () => now,
    limiter: unlimited,
    ip: 'demo',
    userAgent: '',
    requestId: '',
    apiKey: null,
    reads: null,
    sessionCookie: noCookie,
    deviceCookie: noCookie,
    challengeCookie: noCookie,
    identityCookie: noCookie,
  };
  const contextOf = (actor: Actor | null) => ({ ...base, actor });
  return {
    setDaysAgo(daysAgo) {
      now = addDays(present, -daysAgo);
    },
    contextOf,
    async post(page, body) {
      const { sandboxUrl, publicUrl } = deps.config;
      if (sandboxUrl === null) throw new Error('The demo sells only where the sandbox runs');
      const { pathname } = new URL(page, publicUrl);
      const answer = await fetch(new URL(pathname, sandboxUrl), { method: 'POST', body, redirect: 'manual' });
      if (answer.status >= 400) throw new Error(`${pathname} answered ${answer.status}`);
    },
    callsOf: (actor) => appRouter.createCaller(contextOf(actor)),
  };
}

/** One action of a person or a rule, and its time. */
export interface DemoStep {
  readonly daysAgo: number;
  run(client: DemoClient): Promise<unknown>;
}

/** What the steps so far have created. */
export interface DemoState {
  readonly people: Map<DemoPerson, Actor>;
  readonly coupons: Map<PlannedCoupon, number>;
  readonly exchanges: Map<PlannedSwap, number>;
  readonly bids: Map<PlannedBid, number>;
}

/** Finds what an earlier step has created. */
export function lookUp<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error('A demo step needs what no earlier step has created');
  return value;
}
