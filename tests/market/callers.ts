import type { Actor } from '#server/context/context.ts';
import type { Caller } from '#server/rest/caller.ts';
import { appRouter } from '#server/router.ts';
import type { CallContext } from '#server/trpc/context.ts';
import type { TestContext } from '#tests/support/builders.ts';

type Cookie = CallContext['sessionCookie'];

const noCookie = { token: null, set() {}, clear() {} };

/** Calls the procedures as this person's requests do, without HTTP. @param session what a call does to their session */
export const callerOf = (
  ctx: TestContext,
  actor: Actor | null,
  session: Partial<Cookie> = {},
  requestId = '',
): Caller =>
  appRouter.createCaller({
    ...ctx,
    actor,
    requestId,
    apiKey: null,
    deniedRequests: { note() {} },
    reads: null,
    deviceCookie: noCookie,
    challengeCookie: noCookie,
    identityCookie: noCookie,
    sessionCookie: { ...noCookie, ...session },
  });
