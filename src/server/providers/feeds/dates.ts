/** A calendar day of a feed: `YYYY-MM-DD`, null if none is stated, 'unreadable' for anything else. */
export type FeedDay = string | null | 'unreadable';

/** Numeric zone offsets count; zone names (GMT, EST) are close enough for a day. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(.*))?$/i;
const SLASHED =
  /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:[ ,T]+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AP]M)?\s*[A-Z]*)?$/i;
const RFC_2822 = /^(?:[A-Z]{3},\s*)?\d{1,2}\s+[A-Z]{3}\s+\d{4}\b/i;
const OFFSET = /^(?:UTC|GMT)?([+-]\d{2}):?(\d{2})$/i;

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
  if (RFC_2822.test(text))
    return instantDay(Date.parse(/[a-z]$|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`));
  if (/^\d{10}$/.test(text)) return instantDay(Number(text) * 1_000);
  if (/^\d{13}$/.test(text)) return instantDay(Number(text));
  return 'unreadable';
}

/** Both ends of `start/end`, as in Google's promotions. */
export function splitPeriod(text: string): [start: string, end: string] {
  const [start = '', end = ''] = text.split('/');
  return [start, end];
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
