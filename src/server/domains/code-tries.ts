import { LIMITS } from '#contract/limits.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import { enforceLimit, networksOf, type RateLimit } from '#server/core/rate-limit.ts';
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

/** How many times as much as one address the wider networks may try together: many people can be in one. */
const WIDER = 4;

/**
 * Counts a code that the caller has entered, for the person and for their networks, before any answer about it. Right
 * and wrong codes count the same: otherwise the answers would let a guesser find out other people's codes. Call it
 * outside transactions: a rollback must not undo the count. `merchant` is null if it is not known yet.
 * @throws AppError rate_limited
 */
export async function countCodeTry(
  { limiter, vault, actor, ip }: Pick<Context, 'limiter' | 'vault' | 'actor' | 'ip'>,
  { merchant, code }: { merchant: string | null; code: string },
): Promise<void> {
  const networks = networksOf(ip).map((network, at) => ({ key: `address ${network}`, times: WIDER ** at }));
  const person = actor && `person ${actor.id}`;
  const tried = `${person ?? networks[0]?.key} ${codeFingerprint(vault, merchant ?? '', code)}`;
  if ((await limiter.waitFor(TRIED, tried)) > 0) return;
  const countedFor = [...(person ? [{ key: person, times: 1 }] : []), ...networks];
  const count = async (limit: RateLimit, suffix: string) => {
    for (const { key, times } of countedFor)
      await enforceLimit(limiter, { ...limit, points: limit.points * times }, key + suffix);
  };
  if (merchant !== null) await count(OF_ONE_MERCHANT, ` ${canonicalMerchant(merchant)}`);
  await count(OVERALL, '');
  await limiter.consume(TRIED, tried);
}
