import { isOffline } from '#contract/coupons/validation.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** For how long a repeated question gets the recorded verdict. */
const REUSED_MINUTES = 10;
/** For how long a person's record of a code counts when they add the code to a coupon. */
const LOOKED_AT_HOURS = 24;
/** For how long records are kept that no coupon needs. */
const KEPT_DAYS = 90;

export function reusableSince(now: Date): Date {
  return new Date(now.getTime() - REUSED_MINUTES * MINUTE_MS);
}

export function lookedAtSince(now: Date): Date {
  return new Date(now.getTime() - LOOKED_AT_HOURS * 60 * MINUTE_MS);
}

export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * DAY_MS);
}

/** People may ask an account that a job does not ask. */
const QUESTIONS_PER_DAY_AT_LEAST = 100;
/** So many people together use up a day's questions. */
const SHARES = 4;

/** How many questions of strangers an account gets in a day. */
export function questionsPerDay(checksPerDay: number): number {
  return Math.max(checksPerDay, QUESTIONS_PER_DAY_AT_LEAST);
}

/** The part of them that one person may ask. */
export function shareOf(questions: number): number {
  return Math.ceil(questions / SHARES);
}

/** The sources that work without a provider; they can be asked again at no cost. */
const LOCAL_SOURCES = ['library', 'pattern', 'offline'] as const;

/** The local source of a verdict; null if a provider was asked, or should have been. */
export function localSourceOf(validatedWith: string): (typeof LOCAL_SOURCES)[number] | null {
  return LOCAL_SOURCES.find((source) => source === validatedWith) ?? null;
}

/** Whether a recorded verdict may be reused. Not if the provider was unavailable: it may be back. */
export function isReusable(validatedWith: string): boolean {
  return !isOffline(validatedWith);
}
