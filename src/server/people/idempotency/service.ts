import { t } from '@lingui/core/macro';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_MAX } from '#contract/people/api-keys.ts';
import type { Context } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { KEPT_HOURS, keyUse } from './decide.ts';
import * as store from './store.ts';

/* A program that has lost the answer to a call repeats it with the same Idempotency-Key: the call is done once, and answered alike. */

const KEY = new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_MAX}}$`);

/** A call under a key. */
export interface Begun {
  readonly id: string;
  readonly createdAt: Date;
}

/** The answer that the first call with a key has got, in JSON. */
export interface Repeated {
  readonly answer: unknown;
}

/** What an answer is bound to. */
export const keptAnswerContext = (id: string) => `idempotency-key:${id}`;

/**
 * Begins a call under its caller's key.
 * @param given `caller`: whose key it is, in any text; `key`: as it was sent; `call`: the address and the input
 * @returns the answer to repeat where the call was done before
 * @throws AppError bad_input on the key (not one, or used for another call), conflict (the first call is running, or nobody
 *   knows what came of it)
 */
export async function beginOnce(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  given: { caller: string; key: string; call: unknown },
): Promise<Begun | Repeated> {
  if (!KEY.test(given.key))
    throw fieldError('bad_input', IDEMPOTENCY_KEY, t`Use 1 to ${IDEMPOTENCY_KEY_MAX} visible characters`);
  const id = vault.fingerprint(`${given.caller} ${given.key}`);
  // Keyed: a call may have a code or a password in it.
  const call = { id, callHash: vault.fingerprint(JSON.stringify(given.call)) };
  const at = clock();
  if (await store.insertCall(db, call, at)) return { id, createdAt: at };
  const earlier = await store.findCall(db, id);
  const use = earlier ? keyUse(earlier, call.callHash, at) : 'running';
  if (use === 'other')
    throw fieldError(
      'bad_input',
      IDEMPOTENCY_KEY,
      t`This key was used for another call. Use a new key for each call.`,
    );
  if (use === 'repeat' && earlier?.answer)
    return { answer: JSON.parse(vault.open(earlier.answer, keptAnswerContext(id))) };
  if (use === 'again' && earlier && (await store.deleteCall(db, id, earlier.createdAt)))
    return beginOnce({ db, vault, clock }, given);
  if (use === 'unknown')
    throw new AppError(
      'conflict',
      t`We do not know what came of the call with this key. Look whether it was done before you make it again with a new key.`,
    );
  throw new AppError('conflict', t`A call with this key is running. Repeat it in a moment.`, {
    retryAfter: 1,
  });
}

/** Keeps the answer to a call for whoever repeats it. */
export async function keepAnswer(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  { id }: Begun,
  answer: unknown,
): Promise<void> {
  await store.storeAnswer(db, id, vault.seal(JSON.stringify(answer), keptAnswerContext(id)));
}

/** Frees the key of a call that was refused, so that nothing was done. */
export async function forgetCall({ db }: Pick<Context, 'db'>, { id, createdAt }: Begun): Promise<void> {
  await store.deleteCall(db, id, createdAt);
}

/** Removes the answers that are kept no longer. */
export async function forgetOldCalls({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await store.deleteOld(db, addHours(clock(), -KEPT_HOURS));
}
