import { addHours } from '#server/core/clock.ts';

/** How long an answer is kept. */
export const KEPT_HOURS = 24;
/** A call takes no longer: without an answer after that, nobody knows what came of it. */
const RUNS_MS = 60_000;

/** An earlier call with the same key. */
export interface EarlierCall {
  readonly callHash: string;
  readonly isAnswered: boolean;
  readonly createdAt: Date;
}

/**
 * What becomes of a call whose key was used before: `again`: the key is free again, the call is done; `repeat`: it is answered as the
 * first one was; `other`: the key was used for another call; `running`: the first one is under way; `unknown`: nobody knows what
 * came of it.
 */
export type KeyUse = 'again' | 'repeat' | 'other' | 'running' | 'unknown';

export function keyUse(earlier: EarlierCall, callHash: string, at: Date): KeyUse {
  if (addHours(earlier.createdAt, KEPT_HOURS) <= at) return 'again';
  if (earlier.callHash !== callHash) return 'other';
  if (earlier.isAnswered) return 'repeat';
  return at.getTime() - earlier.createdAt.getTime() < RUNS_MS ? 'running' : 'unknown';
}
