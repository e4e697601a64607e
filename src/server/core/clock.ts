/** The only source of the current time, so that tests and demo data can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

const HOUR_MS = 3_600_000;

/** The instant a number of days later, or earlier if negative. */
export function addDays(instant: Date, days: number): Date {
  return addHours(instant, days * 24);
}

/** The instant a number of seconds later, or earlier if negative. */
export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1_000);
}

/** The instant a number of hours later, or earlier if negative. */
export function addMinutes(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000);
}

export function addHours(instant: Date, hours: number): Date {
  return new Date(instant.getTime() + hours * HOUR_MS);
}

/** The UTC calendar day of an instant, `YYYY-MM-DD`. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The first of some instants; null if there is none. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.flatMap((instant) => (instant === null ? [] : [instant.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
