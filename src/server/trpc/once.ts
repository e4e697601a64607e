import { TRPCError } from '@trpc/server';
import { ERROR_STATUS } from '#contract/base/errors.ts';
import { sha256 } from '#server/core/crypto.ts';
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

/** Whether a call was refused before it did anything. After another failure nobody knows. */
export const isRefusal = (error: unknown): boolean => ERROR_STATUS[toWire(error).code] < 500;

/** An input as it is compared with that of an earlier call: a file by its hash. */
const compared = (input: unknown): unknown =>
  typeof input === 'object' && input !== null
    ? Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name, Buffer.isBuffer(value) ? sha256(value) : value]),
      )
    : input;

/**
 * Makes a call under its caller's Idempotency-Key: the same call with the same key is answered alike, and done once. Whoever is
 * not signed in has no keys. The procedure's own checks come first each time.
 * @param readInput reads the input; called once the procedure's own checks let the caller pass
 * @param make makes the call, with a function that it calls for the input once its middleware lets the caller pass
 * @throws as `make` and `beginOnce` do
 */
export async function callOnce<Caller extends Pick<CallContext, 'actor' | 'apiKey'>>(
  deps: Pick<AppDeps, 'db' | 'vault' | 'clock' | 'log'>,
  given: { procedure: string; key: string; readInput: (ctx: Caller) => Promise<unknown> },
  make: (read: (ctx: Caller) => Promise<unknown>) => Promise<unknown>,
): Promise<unknown> {
  const { procedure, key, readInput } = given;
  let begun: Begun | null = null;
  try {
    const answer = await make(async (ctx) => {
      const { actor, apiKey } = ctx;
      const input = await readInput(ctx);
      if (!actor) return input;
      const caller = `${actor.id} ${apiKey?.id ?? ''}`;
      const first = await beginOnce(deps, { caller, key, call: [procedure, compared(input)] });
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
    if (begun && isRefusal(error)) await forgetCall(deps, begun);
    throw error;
  }
}
