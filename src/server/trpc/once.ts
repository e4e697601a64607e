import { TRPCError } from '@trpc/server';
import { ERROR_STATUS } from '#contract/base/errors.ts';
import { type Begun, beginOnce, forgetCall, keepAnswer } from '#server/people/idempotency/service.ts';
import type { AppDeps, CallContext } from './context.ts';
import { toWire } from './errors.ts';

/** Stops a call that was done before. It is no failure. */
export class DoneBefore extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('This call was done before');
    this.answer = answer;
  }
}

/** Whether a call may have done something before it failed: only of a refusal it is known that it has not. */
const mayBeDone = (error: unknown) => ERROR_STATUS[toWire(error).code] >= 500;

/**
 * Makes a call under its caller's Idempotency-Key: the same call with the same key is answered alike, and done once. Whoever is
 * not signed in has no keys. The procedure's own checks come first each time.
 * @param make makes the call, with a function that it calls for the input once its middleware lets the caller pass
 * @throws as `make` and `beginOnce` do
 */
export async function callOnce(
  deps: Pick<AppDeps, 'db' | 'vault' | 'clock' | 'log'>,
  { procedure, key, input }: { procedure: string; key: string; input: unknown },
  make: (read: (ctx: Pick<CallContext, 'actor' | 'apiKey'>) => Promise<unknown>) => Promise<unknown>,
): Promise<unknown> {
  let begun: Begun | null = null;
  try {
    const answer = await make(async ({ actor, apiKey }) => {
      if (!actor) return input;
      const caller = `${actor.id} ${apiKey?.id ?? ''}`;
      const first = await beginOnce(deps, { caller, key, call: [procedure, input] });
      if ('answer' in first) throw new DoneBefore(first.answer);
      begun = first;
      return input;
    });
    if (begun) {
      await keepAnswer(deps, begun, answer).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'the answer to a call with an Idempotency-Key was not kept');
      });
    }
    return answer;
  } catch (error) {
    const cause = error instanceof TRPCError ? error.cause : error;
    if (cause instanceof DoneBefore) return cause.answer;
    if (begun && !mayBeDone(error)) await forgetCall(deps, begun);
    throw error;
  }
}
