import { t } from '@lingui/core/macro';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addressKey, enforceLimit, type RateLimit, siteKey } from '#server/core/rate-limit.ts';
import { knownDevice } from './devices.ts';
import type { Credentials } from './store.ts';

/*
 * Who guesses slows only themselves: tries are counted by network, and by network and account. What counts for an
 * account from everywhere has an end only for browsers that it does not know, and never for passkeys and mailed links.
 */

const MINUTE = 60;
/** For all accounts. A right password does not reset it. */
const LOGIN_PER_ADDRESS: RateLimit = { name: 'login-address', points: 20, seconds: 15 * MINUTE };
/** For one account from one network, as wide as a site may have it. */
const LOGIN_PER_SITE: RateLimit = { name: 'login-site', points: 10, seconds: 15 * MINUTE };
/**
 * For one account from everywhere: otherwise a guesser with many networks would have no limit. Few tries in a short time,
 * so that many at once are slowed, and the owner waits minutes where no other way in is at hand.
 */
const LOGIN_PER_ACCOUNT: RateLimit = {
  name: 'login-account',
  points: 20,
  seconds: 10 * MINUTE,
  text: () =>
    t`Someone is guessing the password of this account. You can still sign in from a browser you used before, with a passkey, or with an emailed link for a new password.`,
};
/** For a browser in which the person has signed in before. */
const LOGIN_PER_DEVICE: RateLimit = { name: 'login-device', points: 10, seconds: 15 * MINUTE };
/** Passkeys and a provider's proofs cannot be guessed: this limits only the work. */
const PASSKEYS_PER_ADDRESS: RateLimit = { name: 'passkey-address', points: 100, seconds: 15 * MINUTE };
/** Wrong passwords of a signed-in person, so that nobody can guess the password in a browser left open. */
const CHECKS_PER_SITE: RateLimit = { name: 'password-check', points: 10, seconds: 15 * MINUTE };
/** The same from everywhere, for a session that was stolen. */
const CHECKS_PER_ACCOUNT: RateLimit = { name: 'password-check-account', points: 100, seconds: 60 * MINUTE };
/** Tries of the second factor, of any kind of code. */
const CODES_PER_SITE: RateLimit = { name: 'second-factor', points: 10, seconds: 15 * MINUTE };
/** The same from everywhere, so that many tries at once from many networks do not outrun the count of wrong codes. */
const CODES_PER_ACCOUNT: RateLimit = { name: 'second-factor-account', points: 100, seconds: 60 * MINUTE };

/** A try to sign in that was counted. */
export interface Attempt {
  /** The browser, if the account knows it. */
  readonly browser: string | null;
  /** Forgets the count, after a success. */
  readonly forget: () => Promise<void>;
}

/** An account from the network of the caller. */
export function fromSite({ ip }: Pick<Context, 'ip'>, account: string | number): string {
  return `${account} ${siteKey(ip)}`;
}

/**
 * Counts a try to sign in by password: for the browser, if the account knows it and it has tries left, otherwise for the
 * address, the account from its network, and the account.
 * @param name what an unknown account is counted by
 * @throws AppError rate_limited
 */
export async function countPasswordTry(
  ctx: Context,
  known: Credentials | undefined,
  { name, device }: { name: string; device: string | null },
): Promise<Attempt> {
  const own = await countBrowserTry(ctx, known, device);
  if (own.forget) return { ...own, forget: own.forget };
  // Counted per person, so that username and e-mail address share one count.
  const account = known ? accountKey(known.id) : `name ${name.toLowerCase()}`;
  await enforceLimit(ctx.limiter, LOGIN_PER_ADDRESS, addressKey(ctx.ip));
  return { browser: own.browser, forget: await countEach(ctx, loginCounts(ctx, account)) };
}

/** Counts a try to sign in by passkey, or with a provider that has named the person: for the browser like a password, otherwise for the address. @throws AppError rate_limited */
export async function countPasskeyTry(
  ctx: Context,
  known: Credentials | undefined,
  device: string | null,
): Promise<Attempt> {
  const { browser, forget } = await countBrowserTry(ctx, known, device);
  if (forget) return { browser, forget };
  await enforceLimit(ctx.limiter, PASSKEYS_PER_ADDRESS, addressKey(ctx.ip));
  return { browser, forget: async () => {} };
}

/** @returns the browser, if the account knows it; `forget` is null if it has no tries of its own (left) */
async function countBrowserTry(
  ctx: Context,
  known: Credentials | undefined,
  device: string | null,
): Promise<{ browser: string | null; forget: (() => Promise<void>) | null }> {
  const browser = known ? knownDevice(ctx, known, device) : null;
  if (browser === null || (await ctx.limiter.consume(LOGIN_PER_DEVICE, browser)) > 0)
    return { browser, forget: null };
  return { browser, forget: () => ctx.limiter.reset(LOGIN_PER_DEVICE, browser) };
}

const accountKey = (userId: number) => `id ${userId}`;

type Count = readonly [limit: RateLimit, key: string];

const loginCounts = (ctx: Context, account: string): readonly Count[] => [
  [LOGIN_PER_SITE, fromSite(ctx, account)],
  [LOGIN_PER_ACCOUNT, account],
];

/** Counts a try for each of these, in order. @returns forgets them @throws AppError rate_limited */
async function countEach(ctx: Context, counts: readonly Count[]): Promise<() => Promise<void>> {
  for (const [limit, key] of counts) await enforceLimit(ctx.limiter, limit, key);
  return () => forgetEach(ctx, counts);
}

async function forgetEach(ctx: Context, counts: readonly Count[]): Promise<void> {
  for (const [limit, key] of counts) await ctx.limiter.reset(limit, key);
}

/** Forgets an account's failed sign-ins, after its owner has proved themselves in another way. */
export function forgetFailedLogins(ctx: Context, userId: number): Promise<void> {
  return forgetEach(ctx, loginCounts(ctx, accountKey(userId)));
}

/** Counts a password of a signed-in person. @returns forgets the count, after a right one @throws AppError rate_limited */
export function countPasswordCheck(ctx: MemberContext): Promise<() => Promise<void>> {
  const account = String(ctx.actor.id);
  return countEach(ctx, [
    [CHECKS_PER_SITE, fromSite(ctx, account)],
    [CHECKS_PER_ACCOUNT, account],
  ]);
}

/** What tries of the second factor are counted by. */
export interface CodeCounts {
  readonly fromSite: string;
  readonly fromEverywhere: string;
}

/** At the sign-in. Only who has given the factor before is in a browser that the account knows. */
export function signInCodeCounts(ctx: Context, userId: number, browser: string | null): CodeCounts {
  if (browser !== null) return { fromSite: browser, fromEverywhere: browser };
  return { fromSite: fromSite(ctx, userId), fromEverywhere: String(userId) };
}

/** Of a signed-in person: who only knows their password cannot use these up. */
export function memberCodeCounts(ctx: MemberContext): CodeCounts {
  const account = `signed in ${ctx.actor.id}`;
  return { fromSite: fromSite(ctx, account), fromEverywhere: account };
}

/** Counts a try of any kind of code. @returns forgets the count, after a right one @throws AppError rate_limited */
export function countFactorTry(ctx: Context, counts: CodeCounts): Promise<() => Promise<void>> {
  return countEach(ctx, [
    [CODES_PER_SITE, counts.fromSite],
    [CODES_PER_ACCOUNT, counts.fromEverywhere],
  ]);
}
