import { isOffline } from '#contract/validation.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** So long a verdict is told again instead of asking anew. */
const REUSED_MINUTES = 10;
/** So long a record is kept that no coupon refers to. */
const KEPT_DAYS = 90;

export function reusableSince(now: Date): Date {
  return new Date(now.getTime() - REUSED_MINUTES * MINUTE_MS);
}

export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * DAY_MS);
}

/** The sources that ask nobody; what they say costs nothing to be said anew. */
const LOCAL_SOURCES = ['library', 'pattern', 'offline'] as const;

/** Which local source has judged, null where a provider was asked, or should have been. */
export function localSourceOf(validatedWith: string): (typeof LOCAL_SOURCES)[number] | null {
  return LOCAL_SOURCES.find((source) => source === validatedWith) ?? null;
}

/** Whether a verdict may be told again: not where the provider was away, which may be back. */
export function isReusable(validatedWith: string): boolean {
  return !isOffline(validatedWith);
}
