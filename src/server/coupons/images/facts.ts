import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/base/limits.ts';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import type { ExtractFactsInput, FactName, FoundCode, StatedFacts } from '#contract/coupons/images.ts';
import { MERCHANT_MAX, MERCHANT_MIN } from '#contract/coupons/limits.ts';
import type { Context } from '#server/context/context.ts';
import { utcDay } from '#server/core/clock.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { recogniseMerchant } from '#server/coupons/merchants/service.ts';
import { refusedAsError } from '#server/people/pictures/service.ts';
import type { Print } from '#server/readers/prints/print.ts';
import { openVisible } from './images.ts';

const OF_PERSON: RateLimit = { name: 'texts', text: () => t`Too many pictures to read.`, ...LIMITS.texts };
/** Several people may share an address. */
const OF_ADDRESS: RateLimit = { ...OF_PERSON, name: 'texts-address', points: 3 * OF_PERSON.points };

/**
 * What is printed on the coupon in an upload that the caller may see: its code only where no symbol in the picture holds one.
 * @throws AppError not_found, rate_limited, unavailable (also while others' pictures are read)
 */
export async function extractFacts(ctx: Context, { imageUrl }: ExtractFactsInput): Promise<StatedFacts> {
  const { file, codes } = await openVisible(ctx, imageUrl);
  await enforceLimit(ctx.limiter, OF_PERSON, String(ctx.actor?.id));
  await enforceLimit(ctx.limiter, OF_ADDRESS, addressKey(ctx.ip));
  return factsOf(ctx, await refusedAsError('code', readPrint(ctx, file.bytes, codes)));
}

/** Reads what is printed on the coupon in a picture with these codes. @throws PictureRefusal */
export function readPrint(
  { clock, providers }: Context,
  file: Uint8Array,
  codes: readonly Pick<FoundCode, 'text'>[],
): Promise<Print> {
  return providers.pictures.readPrint(file, { today: utcDay(clock()), codes: codes.map(({ text }) => text) });
}

/** What print says of a coupon. */
export async function factsOf(ctx: Context, print: Print): Promise<StatedFacts> {
  const known = await recogniseMerchant(ctx, print.names);
  // A name that nobody has listed yet may be anything that is printed large.
  const [largest = ''] = print.names;
  const isName = largest.length >= MERCHANT_MIN && largest.length <= MERCHANT_MAX;
  const merchant = known ?? (isName ? { value: largest, isDoubtful: true } : null);
  const facts = { merchant, title: print.title, worth: print.worth, expiryDate: print.expiryDate };
  const names = Object.keys(facts) as (keyof typeof facts)[];
  const doubtful: FactName[] = names.filter((name) => facts[name]?.isDoubtful);
  return {
    merchant: merchant?.value ?? null,
    category: CATEGORIES.find((category) => category === known?.category) ?? null,
    title: print.title?.value ?? null,
    worth: print.worth?.value ?? null,
    expiryDate: print.expiryDate?.value ?? null,
    hasNoExpiry: print.hasNoExpiry && print.expiryDate === null,
    terms: print.terms,
    ...(print.code !== null && { printedCode: print.code }),
    doubtful,
  };
}
