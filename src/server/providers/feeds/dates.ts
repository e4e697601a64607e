/** A calendar day of a feed: `YYYY-MM-DD`, null if none is stated, 'unreadable' for anything else. */
export type FeedDay = string | null | 'unreadable';

/** Numeric zone offsets count; zone names (GMT, EST) are close enough for a day. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(.*))?$/i;
const SLASHED =
  /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:[ ,T]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\s*([AP]M))?\s*([A-Z]*))?$/i;
const RFC_2822 = /^(?:[A-Z]{3},\s*)?\d{1,2}\s+[A-Z]{3}\s+\d{4}\b/i;
const OFFSET = /^(?:UTC|GMT)?([+-]\d{2}):?(\d{2})$/i;

/** Zones that feeds name, with one meaning each. */
const ZONES: Record<string, string> = {
  Z: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  CET: '+01:00',
  CEST: '+02:00',
};

/** Texts that mean "no end". */
const NONE = /^(?:0000-00-00.*|9999.*|n\/?a|null|none|never|unknown|ongoing|no expiry|-)?$/i;

/** Earlier years are mistakes; later ones mean "for ever". */
const FIRST_YEAR = 2_000;
const LAST_YEAR = 2_100;

/**
 * Reads a day in any form that networks use: ISO with or without a time, dd/MM/yyyy (MM/dd/yyyy unless `isDayFirst`),
 * RFC 2822, seconds or milliseconds since 1970. An instant counts as its day in GMT.
 */
export function readDay(given: string, isDayFirst: boolean): FeedDay {
  const text = given.trim();
  if (NONE.test(text)) return null;
  const iso = ISO.exec(text);
  if (iso) return isoDay(iso);
  const slashed = SLASHED.exec(text);
  if (slashed) {
    const [first, second, year] = [Number(slashed[1]), Number(slashed[2]), Number(slashed[3])];
    return isDayFirst ? dayOf(year, second, first) : dayOf(year, first, second);
  }
  if (RFC_2822.test(text)) return instantDay(Date.parse(withZone(text)));
  if (/^\d{10}$/.test(text)) return instantDay(Number(text) * 1_000);
  if (/^\d{13}$/.test(text)) return instantDay(Number(text));
  return 'unreadable';
}

/**
 * The time at which an offer ends, where its feed states one with the day: '2030-04-03T23:59:59', and with the zone that
 * the feed names '2030-04-03T23:59:59-05:00' or '…Z'; else null.
 */
export function readEndTime(given: string, isDayFirst: boolean): string | null {
  const text = given.trim();
  const day = readDay(text, isDayFirst);
  if (day === null || day === 'unreadable') return null;
  const iso = ISO.exec(text);
  if (iso) {
    const [, year = '', month = '', date = '', clock, zone = ''] = iso;
    return clock ? timeText(dayOf(Number(year), Number(month), Number(date)), clock, zone) : null;
  }
  const slashed = SLASHED.exec(text);
  if (slashed) return slashed[4] ? timeText(day, slashed[4], slashed[6] ?? '', slashed[5]) : null;
  if (RFC_2822.test(text)) return /\d:\d{2}/.test(text) ? secondsOf(Date.parse(withZone(text))) : null;
  return secondsOf(Number(text) * (text.length > 10 ? 1 : 1_000));
}

function timeText(day: FeedDay, clock: string, zone: string, half = ''): string | null {
  const [hours = '', minutes = '', seconds = '00'] = clock.split(':');
  const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const offset = OFFSET.exec(zone.trim());
  const stated = offset ? `${offset[1]}:${offset[2]}` : (ZONES[zone.trim().toUpperCase()] ?? '');
  return `${day}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}${stated}`;
}

function secondsOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** Both ends of `start/end`, as in Google's promotions. */
export function splitPeriod(text: string): [start: string, end: string] {
  const [start = '', end = ''] = text.split('/');
  return [start, end];
}

/** A date of RFC 2822, in GMT where it names no zone. */
function withZone(text: string): string {
  return /[a-z]$|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`;
}

function isoDay([, year, month, day, time, zone = '']: RegExpExecArray): FeedDay {
  const stated = dayOf(Number(year), Number(month), Number(day));
  const offset = OFFSET.exec(zone.trim());
  if (!offset || stated === null || stated === 'unreadable') return stated;
  const clock = `${time ?? '00:00'}:00`.padStart(8, '0').slice(0, 8);
  return instantDay(Date.parse(`${stated}T${clock}${offset[1]}:${offset[2]}`));
}

function instantDay(instant: number): FeedDay {
  if (Number.isNaN(instant)) return 'unreadable';
  const date = new Date(instant);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

function dayOf(year: number, month: number, day: number): FeedDay {
  const date = new Date(Date.UTC(year, month - 1, day));
  // JavaScript turns 31 June into 1 July.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return 'unreadable';
  if (year < FIRST_YEAR) return 'unreadable';
  return year > LAST_YEAR ? null : date.toISOString().slice(0, 10);
}
