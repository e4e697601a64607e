import { LOCK_MINUTES, type MARKET_DAY_STATES } from '#contract/deals/market-days.ts';
import type { SettingValues } from '#contract/people/settings.ts';
import { addDays, addHours, addMinutes, utcDay } from '#server/core/clock.ts';

type Setting = Pick<SettingValues['marketDay'], 'hour' | 'timeZone'>;

/** A market day, when it is, and until when consents can be taken back. */
export interface Hour {
  readonly day: string;
  readonly at: Date;
  readonly locksAt: Date;
}

/** The instant of a whole hour of a day in a time zone. An hour that the clocks leave out becomes the next one. */
export function instantOf(day: string, { hour, timeZone }: Setting): Date {
  const asUtc = Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`);
  // The offset at the instant that is guessed, and again at the one that follows from it.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(guess, timeZone));
}

/** How many milliseconds the clocks of a time zone are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(instant);
  const [year, month, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value));
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/** The first market day whose hour is after an instant. */
export function nextHour(now: Date, setting: Setting): Hour {
  // A day of the zone may be one ahead of UTC, or one behind.
  for (let days = -1; ; days += 1) {
    const day = utcDay(addDays(now, days));
    const at = instantOf(day, setting);
    if (at > now) return { day, at, locksAt: addMinutes(at, -LOCK_MINUTES) };
  }
}

/** Whether what was agreed to at `agreedAt` stands until the market day is over. */
export function isLocked({ at }: { at: Date }, { agreedAt, now }: { agreedAt: Date; now: Date }): boolean {
  const locksAt = addMinutes(at, -LOCK_MINUTES);
  return now >= locksAt && agreedAt <= locksAt;
}

export type RunState = (typeof MARKET_DAY_STATES)[number];

/** Market day waits so long after its hour, as after an outage; later it is left out. */
const LATE_HOURS = 6;

/** What is next for a market day. Nothing happens while `isResting`: it is off, or the market is under maintenance. */
export function stepOf(
  run: { readonly at: Date; readonly state: RunState },
  { now, isResting }: { now: Date; isResting: boolean },
): 'wait' | 'check' | 'trade' | 'miss' {
  if (run.state === 'trading') return isResting ? 'wait' : 'trade';
  if (now > addHours(run.at, LATE_HOURS)) return 'miss';
  if (isResting) return 'wait';
  if (now >= run.at) return 'trade';
  return run.state === 'planned' && now >= addMinutes(run.at, -LOCK_MINUTES) ? 'check' : 'wait';
}
