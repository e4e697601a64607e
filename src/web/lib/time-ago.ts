import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { locale } from '#contract/base/i18n.ts';
import { withOrdinal } from '#contract/base/locale.ts';
import { formatDate } from './format.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const time = new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit' });
const monthAndDay = new Intl.DateTimeFormat(locale(), { month: 'short', day: 'numeric' });
const weekday = new Intl.DateTimeFormat(locale(), { weekday: 'long', month: 'short', day: 'numeric' });
const relative = new Intl.RelativeTimeFormat(locale());

/** What says how long ago something was. */
export interface AgoTexts {
  readonly now: () => string;
  readonly yesterday: () => string;
  /** @param ago '5 minutes ago' */
  readonly ago: (ago: string) => string;
  /** @param date 'Nov 21, 2026' */
  readonly on: (date: string) => string;
}

const ALONE: AgoTexts = {
  now: () => t`Just now`,
  yesterday: () => t`Yesterday`,
  ago: (ago) => ago,
  on: (date) => date,
};

/** How long ago: 'Just now', minutes, hours, 'Yesterday', days under 7, then a date (spec/3 section 9). */
export function timeAgo(instant: string, now: Date, texts = ALONE): string {
  const passed = now.getTime() - Date.parse(instant);
  if (passed < MINUTE_MS) return texts.now();
  if (passed < HOUR_MS) return texts.ago(relative.format(-Math.floor(passed / MINUTE_MS), 'minute'));
  if (passed < DAY_MS) return texts.ago(relative.format(-Math.floor(passed / HOUR_MS), 'hour'));
  const days = Math.floor(passed / DAY_MS);
  if (days === 1) return texts.yesterday();
  return days < 7 ? texts.ago(relative.format(-days, 'day')) : texts.on(formatDate(instant));
}

/** Calendar days between two instants, in local time. */
function calendarDaysBetween(earlier: Date, later: Date): number {
  const noon = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((noon(later) - noon(earlier)) / DAY_MS);
}

/** '9:41 AM', in local time. */
export function formatTime(instant: string): string {
  return time.format(new Date(instant));
}

/** In a list of messages: the time if today, 'Yesterday', or a short month and day (spec/2 section 2). */
export function listTime(instant: string, now: Date): string {
  const then = new Date(instant);
  const days = calendarDaysBetween(then, now);
  if (days <= 0) return formatTime(instant);
  return days === 1 ? t`Yesterday` : withOrdinal(monthAndDay.format(then));
}

/** The heading of a day's messages: 'Today', 'Yesterday', 'Thursday, Nov 19', or a date of another year. */
export function dayHeading(instant: string, now: Date): string {
  const then = new Date(instant);
  const days = calendarDaysBetween(then, now);
  if (days <= 0) return t`Today`;
  if (days === 1) return t`Yesterday`;
  return then.getFullYear() === now.getFullYear() ? withOrdinal(weekday.format(then)) : formatDate(instant);
}

/** The current time, updated every minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
