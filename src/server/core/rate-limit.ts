import { isIPv6 } from 'node:net';
import { plural, t } from '@lingui/core/macro';
import { sha256 } from './crypto.ts';
import { AppError } from './errors.ts';

/** How often something may happen: `points` times within `seconds`, counted by key. */
export interface RateLimit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /** The first sentence of the refusal; the time to wait follows. */
  readonly text?: () => string;
}

/** Where attempts are counted. */
export const LIMIT_STORES = ['redis', 'database', 'none'] as const;
type LimitStore = (typeof LIMIT_STORES)[number];

/** What a limit has counted under a key. */
export interface LimitCount {
  /** Seconds until the next attempt is let through; 0: now. */
  readonly wait: number;
  /** How many more attempts it lets through now. */
  readonly left: number;
  /** Seconds until it counts anew; 0 where it has counted nothing. */
  readonly resets: number;
}

/** Counts attempts, in one place for all processes. */
export interface RateLimiter {
  /** Counts one more attempt. Resolves to 0, or to the seconds to wait when the limit is passed. */
  consume(limit: RateLimit, key: string): Promise<number>;
  /** Counts nothing. Resolves to 0, or to the seconds until the next attempt is allowed. */
  waitFor(limit: RateLimit, key: string): Promise<number>;
  /** Counts one more attempt, as `consume`, and says what is left; `wait` is that of this attempt. */
  spend(limit: RateLimit, key: string): Promise<LimitCount>;
  /** Counts nothing, and says what is left. */
  countOf(limit: RateLimit, key: string): Promise<LimitCount>;
  /** Forgets a count, for example after a right password. */
  reset(limit: RateLimit, key: string): Promise<void>;
  /** Where it counts now. */
  store(): LimitStore;
}

/** What a count is stored under. Keys are hashed, because they contain addresses and names. */
export function rateLimitKey(limit: RateLimit, key: string): string {
  return `${limit.name}:${sha256(key)}`;
}

/** Seconds until the count starts again, if it has reached `points`; 0 if it has not. */
export function secondsLeft(
  count: { readonly points: number; readonly leftMs: number } | undefined,
  points: number,
): number {
  return count && count.points >= points ? Math.max(1, Math.ceil(count.leftMs / 1_000)) : 0;
}

/**
 * A stored count, as it is told.
 * @param passed the count with which attempts are refused
 */
export function toLimitCount(
  count: { readonly points: number; readonly leftMs: number } | undefined,
  { points }: Pick<RateLimit, 'points'>,
  passed: number,
): LimitCount {
  const resets = Math.max(0, Math.ceil((count?.leftMs ?? 0) / 1_000));
  const used = resets === 0 ? 0 : (count?.points ?? 0);
  return { wait: secondsLeft(count, passed), left: Math.max(0, points - used), resets };
}

/**
 * The networks that an address belongs to, from what one connection usually has to what a site may have: an IPv4 address
 * alone; the /64, /56 and /48 of an IPv6 address.
 */
export function networksOf(ip: string): readonly [string, ...string[]] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return [mapped[1]];
  if (!isIPv6(ip)) return [ip];
  const [head = '', tail = ''] = ip.toLowerCase().split('::');
  const groupsOf = (part: string) => part.split(':').filter(Boolean);
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const gap = new Array<string>(8 - left.length - right.length).fill('0');
  const [first, second, third, fourth = '0'] = [...left, ...gap, ...right];
  const site = `${first}:${second}:${third}`;
  const wider = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return [`${site}:${fourth}::/64`, `${site}:${wider}::/56`, `${site}::/48`];
}

/** The key that limits count an address under: the narrowest of its networks. */
export function addressKey(ip: string): string {
  return networksOf(ip)[0];
}

/** The key of all addresses that one guesser may have: the widest of the networks. */
export function siteKey(ip: string): string {
  return networksOf(ip).at(-1) ?? ip;
}

/**
 * Counts one more attempt and refuses it when the limit is passed.
 * @throws AppError rate_limited with retryAfter
 */
export async function enforceLimit(limiter: RateLimiter, limit: RateLimit, key: string): Promise<void> {
  refuseWhile(limit, await limiter.consume(limit, key));
}

/** Counts nothing, and refuses what comes when the limit is reached. @throws AppError rate_limited with retryAfter */
export async function enforceWait(limiter: RateLimiter, limit: RateLimit, key: string): Promise<void> {
  refuseWhile(limit, await limiter.waitFor(limit, key));
}

/** @param wait in seconds; 0 refuses nothing. @throws AppError rate_limited with retryAfter */
export function refuseWhile(limit: RateLimit, wait: number): void {
  if (wait === 0) return;
  const text = `${limit.text?.() ?? t`Too many attempts.`} ${tryAgainText(wait)}`;
  throw new AppError('rate_limited', text, { retryAfter: wait });
}

function tryAgainText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(minutes / 60);
  return minutes < 120
    ? plural(minutes, { one: 'Please try again in # minute.', other: 'Please try again in # minutes.' })
    : plural(hours, { one: 'Please try again in # hour.', other: 'Please try again in # hours.' });
}

/** Counts nothing: for command-line programs that act for the operator. */
export const unlimited: RateLimiter = {
  consume: async () => 0,
  waitFor: async () => 0,
  spend: async ({ points }) => ({ wait: 0, left: points, resets: 0 }),
  countOf: async ({ points }) => ({ wait: 0, left: points, resets: 0 }),
  reset: async () => {},
  store: () => 'none',
};
