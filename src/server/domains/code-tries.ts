import { LIMITS } from '#contract/limits.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import type { Context } from './context.ts';

const OF_ONE_MERCHANT: RateLimit = {
  name: 'codes-merchant',
  text: 'Too many new codes of one merchant.',
  ...LIMITS.codesOfOneMerchant,
};
const OVERALL: RateLimit = { name: 'codes', text: 'Too many new codes.', ...LIMITS.codes };
/** Trying the same code again reveals nothing new. */
const TRIED: RateLimit = { name: 'codes-tried', points: 1, seconds: LIMITS.codes.seconds };

/**
 * Counts a code that the caller has entered, for the person and for their address, before any answer about it. Right
 * and wrong codes count the same: otherwise the answers would let a guesser find out other people's codes. Call it
 * outside transactions: a rollback must not undo the count. `merchant` is null if it is not known yet.
 * @throws AppError rate_limited
 */
export async function countCodeTry(
  { limiter, vault, actor, ip }: Pick<Context, 'limiter' | 'vault' | 'actor' | 'ip'>,
  { merchant, code }: { merchant: string | null; code: string },
): Promise<void> {
  const address = `address ${addressKey(ip)}`;
  const person = actor && `person ${actor.id}`;
  const tried = `${person ?? address} ${codeFingerprint(vault, merchant ?? '', code)}`;
  if ((await limiter.waitFor(TRIED, tried)) > 0) return;
  const countedFor = person ? [person, address] : [address];
  if (merchant !== null) {
    for (const key of countedFor)
      await enforceLimit(limiter, OF_ONE_MERCHANT, `${key} ${canonicalMerchant(merchant)}`);
  }
  for (const key of countedFor) await enforceLimit(limiter, OVERALL, key);
  await limiter.consume(TRIED, tried);
}
