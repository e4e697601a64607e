import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { ApiScope } from '#contract/people/api-keys.ts';
import type { WebhookEvent } from '#contract/people/webhooks.ts';

/** Where people see their addresses. */
export const SETTINGS_LINK = paths.settings('webhooks');

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds to wait after each failed attempt; after the last one there is none. Together about a day. */
const BACK_OFF = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];

/** For how long a process has an address for itself; longer than an attempt can take. */
export const HELD_SECONDS = 60;

/**
 * When to try again, after so many attempts; null: never.
 * @param pause for how many seconds the receiver wants nothing
 */
export function nextAttempt(attempts: number, at: Date, pause = 0): Date | null {
  const seconds = BACK_OFF[attempts - 1];
  return seconds === undefined ? null : new Date(at.getTime() + Math.max(seconds, pause) * 1_000);
}

type Subject = WebhookEvent extends infer Event
  ? Event extends `${infer First}.${string}`
    ? First
    : never
  : never;

/** What a key must be able to read to be told of something, by the first part of the event. */
const SCOPES: Record<Subject, ApiScope> = {
  bid: 'deals:read',
  exchange: 'deals:read',
  message: 'messages:read',
  rating: 'deals:read',
  claim: 'deals:read',
  payment: 'payments:read',
  payout: 'payments:read',
  wish: 'coupons:read',
};

/** The scopes that a key needs to have these events sent, or to see what was sent. */
export function scopesOfEvents(events: readonly string[]): ApiScope[] {
  const needed = events.map((event) => SCOPES[event.split('.')[0] as Subject]);
  return [...new Set(needed)];
}

/** What is wrong with an address, in words. */
export const ADDRESS_PROBLEMS = {
  malformed: () => t`Must be a web address such as https://example.org/hook`,
  protocol: () => t`Must begin with https://`,
  credentials: () => t`Must not hold a user name or a password`,
  not_public: () => t`Must be an address that everyone on the internet can reach`,
  unknown_host: () => t`There is no such host. Check the spelling.`,
} as const;
