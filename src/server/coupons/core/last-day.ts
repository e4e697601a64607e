import { getTimezonesForCountry } from 'countries-and-timezones';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes that clocks of a time zone are ahead of UTC at an instant. */
function offsetAt(timeZone: string, instant: number): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

interface Where {
  /** Its last day, `YYYY-MM-DD`; null when it never expires. */
  readonly expiryDate: string | null;
  /** Where it is valid: codes of ISO 3166-1 alpha-2; empty for anywhere. */
  readonly regions: readonly string[];
  /** Of its owner at listing; null where it is not known. */
  readonly timeZone: string | null;
}

/**
 * How many minutes clocks are ahead of UTC where a coupon's last day ends last: in the last time zone of its regions,
 * else in that of its owner, else in UTC (decisions 2.3). `coupons.expires_at` follows from it.
 */
export function lastDayOffset({ expiryDate, regions, timeZone }: Where): number {
  if (expiryDate === null) return 0;
  const found = new Set(
    regions.flatMap((code) => getTimezonesForCountry(code) ?? []).map(({ name }) => name),
  );
  const zones = found.size > 0 ? [...found] : [timeZone ?? 'UTC'];
  const midnight = Date.parse(expiryDate) + DAY_MS;
  const offsets = zones.map((zone) => {
    // Its clocks may change within that day.
    const near = offsetAt(zone, midnight - offsetAt(zone, midnight) * MINUTE_MS - 1);
    return offsetAt(zone, midnight - near * MINUTE_MS - 1);
  });
  return Math.min(...offsets);
}

/** The end of a day where clocks are so many minutes ahead of UTC. */
export function endOfDay(day: string, offset: number): Date {
  return new Date(Date.parse(day) + DAY_MS - 1 - offset * MINUTE_MS);
}

/** The day of an instant, `YYYY-MM-DD`, where clocks are so many minutes ahead of UTC. */
export function dayAt(instant: Date, offset: number): string {
  return new Date(instant.getTime() + offset * MINUTE_MS).toISOString().slice(0, 10);
}
