import { randomInt } from 'node:crypto';
import { baseCurrency, CURRENCIES, type Currency } from '#contract/base/money.ts';
import { defaultCountry, offeredCountries } from '#contract/base/offered-countries.ts';
import { type RegistrationPlace, USERNAME_MAX } from '#contract/people/accounts.ts';
import type { Context } from '#server/context/context.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { isReservedName, isUsernameReserved, looksOfficial } from './names.ts';

const PROPOSALS_PER_ADDRESS: RateLimit = { name: 'username-proposals', points: 60, seconds: 3_600 };
/** Of names that are all taken; the registration refuses the last one. */
const TRIES = 10;
const DIGITS_MAX = 4;
/** Where the address has no word that may be in a name. */
const ANYBODY = 'member';

/**
 * Proposes a free username from the part of an address before the @: its first word, so that the whole of it does not
 * become public, and random digits, so that no proposal tells whether somebody has the name without them.
 * @throws AppError rate_limited after sixty from one network address in an hour
 */
export async function proposeUsername(
  ctx: Context,
  { name }: { name: string },
): Promise<{ username: string }> {
  await enforceLimit(ctx.limiter, PROPOSALS_PER_ADDRESS, addressKey(ctx.ip));
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const found = /[a-z]{3,}/.exec(letters)?.[0].slice(0, USERNAME_MAX - DIGITS_MAX) ?? ANYBODY;
  const word = looksOfficial(found) || isReservedName(found) ? ANYBODY : found;
  let username: string;
  let tries = 0;
  do {
    username = `${word}${randomInt(100, 10 ** DIGITS_MAX)}`;
    tries += 1;
  } while (tries < TRIES && (await isUsernameReserved(ctx.db, ctx, username)));
  return { username };
}

/** The countries of each currency that prices are shown in, by ISO 3166-1. */
const COUNTRIES: Record<Currency, string> = {
  USD: 'US AS EC GU MP PR SV VI',
  CAD: 'CA',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT',
  GBP: 'GB GG IM JE',
  INR: 'IN',
  AUD: 'AU CC CX KI NF NR TV',
  JPY: 'JP',
  CNY: 'CN',
  BRL: 'BR',
  MXN: 'MX',
  ZAR: 'ZA',
};

/** The country of the caller's browser, and its currency if prices can be shown in it; else those of spec/1 section 5. */
export function registrationPlace({ visitorCountry }: Context): RegistrationPlace {
  const country = offeredCountries().find((each) => each === visitorCountry) ?? defaultCountry();
  const preferredCurrency = CURRENCIES.find((each) => COUNTRIES[each].split(' ').includes(country));
  return { country, preferredCurrency: preferredCurrency ?? baseCurrency() };
}
