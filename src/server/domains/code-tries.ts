import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/limits.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import {
  addressKey,
  enforceLimit,
  networksOf,
  type RateLimit,
  refuseWhile,
} from '#server/core/rate-limit.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import type { Context } from './context.ts';

const OF_ONE_MERCHANT: RateLimit = {
  name: 'codes-merchant',
  text: () => t`Too many new codes of one merchant.`,
  ...LIMITS.codesOfOneMerchant,
};
const OVERALL: RateLimit = { name: 'codes', text: () => t`Too many new codes.`, ...LIMITS.codes };
/** Trying the same code again reveals nothing new. */
const TRIED: RateLimit = { name: 'codes-tried', points: 1, seconds: LIMITS.codes.seconds };

const BY_EVERYBODY: RateLimit = {
  name: 'codes-everybody',
  text: () => t`Too many codes of this merchant were tried today, so we are not checking any.`,
  ...LIMITS.codesOfOneMerchantByEverybody,
};
/** One person alone must not use up what everybody may try. */
const TRIED_OF_ALL: RateLimit = {
  name: 'codes-everybody-tried',
  points: 1,
  seconds: BY_EVERYBODY.seconds,
};

/** How many times as much as one address the wider networks may try together: many people can be in one. */
const WIDER = 4;

type Caller = Pick<Context, 'limiter' | 'vault' | 'actor' | 'ip'>;

/**
 * Counts a code that the caller has entered, for the person and for their networks, before any answer about it. Right
 * and wrong codes count the same: otherwise the answers would let a guesser find out other people's codes. Call it
 * outside transactions: a rollback must not undo the count. `merchant` is null if it is not known yet.
 * @throws AppError rate_limited
 */
export async function countCodeTry(
  { limiter, vault, actor, ip }: Caller,
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

/**
 * Counts a code for everybody together, after `countCodeTry` and before an answer that says whether the code exists.
 * All tries count, not only those that hit: the first hit is what a guesser wants.
 * @returns for how many seconds no answer about codes of the merchant may say whether they exist; 0 if this one may
 */
export async function countForEverybody(
  { limiter, vault, actor, ip }: Caller,
  { merchant, code }: { merchant: string; code: string },
): Promise<number> {
  const caller = actor ? `person ${actor.id}` : `address ${addressKey(ip)}`;
  const key = canonicalMerchant(merchant);
  const isAgain =
    (await limiter.consume(TRIED_OF_ALL, `${caller} ${codeFingerprint(vault, merchant, code)}`)) > 0;
  return isAgain ? limiter.waitFor(BY_EVERYBODY, key) : limiter.consume(BY_EVERYBODY, key);
}

/** As `countForEverybody`. @throws AppError rate_limited while no answer may say whether a code exists */
export async function refuseWhileGuessed(
  caller: Caller,
  given: { merchant: string; code: string },
): Promise<void> {
  refuseWhile(BY_EVERYBODY, await countForEverybody(caller, given));
}
