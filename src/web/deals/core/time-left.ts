import { locale } from '#contract/base/i18n.ts';
import { formatDateTime } from '#web/lib/format.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const minutes = new Intl.NumberFormat(locale(), { style: 'unit', unit: 'minute', unitDisplay: 'long' });
const hours = new Intl.NumberFormat(locale(), { style: 'unit', unit: 'hour', unitDisplay: 'long' });
const days = new Intl.NumberFormat(locale(), { style: 'unit', unit: 'day', unitDisplay: 'long' });

/** '46 hours' until a deadline, beyond two days '5 days', in the last hour '30 minutes', rounded up; null once it is over. */
export function timeLeft(deadline: string, now: Date): string | null {
  const left = Date.parse(deadline) - now.getTime();
  if (left <= 0) return null;
  if (left < HOUR_MS) return minutes.format(Math.ceil(left / MINUTE_MS));
  const count = Math.ceil(left / HOUR_MS);
  return count > 48 ? days.format(Math.ceil(count / 24)) : hours.format(count);
}

/** Until when a word is awaited, in words; null if nobody waits for it, or no longer. */
export function awaitedUntil(answerBy: string | null, now: Date): string | null {
  return answerBy !== null && now < new Date(answerBy) ? formatDateTime(answerBy) : null;
}
