import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/base/limits.ts';
import type { Context } from '#server/context/context.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import {
  addressKey,
  enforceLimit,
  networksOf,
  type RateLimit,
  refuseWhile,
} from '#server/core/rate-limit.ts';
import { codeFingerprint } from './code-fingerprint.ts';

const OF_ONE_MERCHANT: RateLimit = {
  name: 'codes-merchant',
  text: () => t`Too many new codes of one merchant.`,
  ...LIMITS.codesOfOneMerchant,
};
const OVERALL: RateLimit = { name: 'codes', text: () => t`Too many new codes.`, ...LIMITS.codes };
/** Trying the same code again reveals nothing new. */
const TRIED: RateLimit = { name: 'codes-tried', points: 1, seconds: LIMITS.codes.seconds };

const BY_STRANGERS: RateLimit = {
  name: 'codes-strangers',
  text: () =>
    t`Too many codes of this merchant were tried today, so we check only those of established members.`,
  ...LIMITS.codesOfOneMerchantByStrangers,
};
/** Nobody else can use this up. */
const OF_OWN: RateLimit = { name: 'codes-own', ...LIMITS.codesOfOneMerchantOfOwn };
/** What somebody was told once, they are told again. */
const TOLD: RateLimit = { name: 'codes-told', points: 1, seconds: BY_STRANGERS.seconds };

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
 * Counts a code against what strangers may find out together, after `countCodeTry` and before an answer that says whether
 * the code exists. All tries count, not only those that hit: the first hit is what a guesser wants. Nobody can use up what
 * people of more trust than theirs may try: visitors and people without a confirmed address count apart, and established
 * people have a share of their own.
 * @returns for how many seconds no answer to the caller about codes of the merchant may say whether they exist; 0 if this
 *   one may
 */
export async function countForStrangers(
  { limiter, vault, actor, ip }: Caller,
  { merchant, code }: { merchant: string; code: string },
): Promise<number> {
  const caller = actor ? `person ${actor.id}` : `address ${addressKey(ip)}`;
  const told = `${caller} ${codeFingerprint(vault, merchant, code)}`;
  if ((await limiter.waitFor(TOLD, told)) > 0) return 0;
  const name = canonicalMerchant(merchant);
  const hasOwn = actor?.isEstablished && (await limiter.consume(OF_OWN, `${caller} ${name}`)) === 0;
  const strangers = actor?.isConfirmed ? 'confirmed' : 'others';
  const wait = hasOwn ? 0 : await limiter.consume(BY_STRANGERS, `${strangers} ${name}`);
  if (wait === 0) await limiter.consume(TOLD, told);
  return wait;
}

/** As `countForStrangers`. @throws AppError rate_limited while no answer may say whether a code exists */
export async function refuseWhileGuessed(
  caller: Caller,
  given: { merchant: string; code: string },
): Promise<void> {
  refuseWhile(BY_STRANGERS, await countForStrangers(caller, given));
}
