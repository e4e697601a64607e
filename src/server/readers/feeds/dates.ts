import { monthOf, withoutWeekday } from './month-names.ts';

/** A calendar day of a feed: `YYYY-MM-DD`, null if none is stated, 'unreadable' for anything else. */
type FeedDay = string | null | 'unreadable';

/** A day, and its time where the feed states one: '2030-04-03T23:59:59', with the zone that the feed names. */
export interface FeedDate {
  readonly day: FeedDay;
  readonly time: string | null;
}

/** Which number comes first in a date of numbers that ends with the year. */
export type DateOrder = 'dayFirst' | 'monthFirst';

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
const NONE = /^(?:0000[-/]00[-/]00.*|9999.*|n\/?a|null|none|never|unknown|ongoing|no expiry|0|-)?$/i;

/** A time of day, what stands between a date and it, and the half of the day behind it. */
const CLOCK = /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?/g;
const BEFORE_CLOCK = /(?:T|,? (?:(?:at|um|à|a las|às|alle|om|kl\.?|o) )?)$/i;
const HALF_DAY = /^ ?([ap])\.?m\.?(?![a-z])/i;
/** ISO 8601 without separators. */
const BASIC_CLOCK = /^(\d{8})T(\d{2})(\d{2})(\d{2})?(?:\.\d+)?/i;
const OFFSET = /^(?:UTC|GMT)?([+-]\d{2}):?(\d{2})(?:\s*\(.*\))?$/i;

const YEAR_FIRST = /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const NUMERIC = /^(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})\.?$/;

/** Words for the end of a month. */
const END_OF =
  /^(?:(?:at )?(?:the )?end (?:of )?|fin (?:de |du mois de |d['’])?|(?:bis )?ende |fine (?:di )?|(?:a )?final(?:es)? de |fim de |eind(?:e)? |koniec |конец |до конца )/u;

const MONTH_AND_YEAR = /^(\p{L}+\.?|\d{1,2})((?:\s?[-/.,]\s?|\s)(?:(?:de|del) )?['’]?|['’])(\d{4}|\d{2})$/u;
const YEAR_AND_MONTH = /^(\d{4})\s?[-/.年]?\s?(?<=[^\d])(\p{L}+\.?|\d{1,2})月?$/u;

/** Days of Excel, which counts from 30 December 1899. */
const EXCEL_SERIAL = /^(\d{5})(?:[.,](\d+))?$/;
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);

/** In characters: what is longer is no date. "Thu Dec 31 2026 23:59:59 GMT+0000 (Coordinated Universal Time)" has 63. */
const MAX_LENGTH = 120;

/** Other years are mistakes, or of another calendar: 2569 is 2026 in Thailand. */
const FIRST_YEAR = 2_000;
const LAST_YEAR = 2_100;
/** Coupons of earlier years are over. */
const FIRST_SHORT_YEAR = 24;
/** Years with which programs say "for ever": 2199, 2999, 3000, 9999. */
const isForEver = (year: number) => year === 2_199 || (year > 2_900 && (year + 1) % 1_000 <= 1);

const DAY_MS = 86_400_000;

/**
 * Reads a date in any form that networks use; docs/feeds.md lists them. An instant with an offset counts as its day in
 * GMT; names of zones (EST) are close enough for a day.
 * @param order of a date of numbers that ends with the year; null: the only one that is possible
 */
export function readDate(given: string, order: DateOrder | null): FeedDate {
  const text = given.trim().replace(/\s+/g, ' ');
  if (text.length > MAX_LENGTH) return { day: 'unreadable', time: null };
  if (NONE.test(text)) return { day: null, time: null };
  const instant = instantOf(text);
  if (instant !== null) return { day: dayAt(instant), time: timeAt(instant) };
  const [date, clock] = splitClock(text);
  const day = calendarDay(date, order);
  if (day === null || day === 'unreadable' || !clock) return { day, time: null };
  const time = `${day}T${clock.time}`;
  if (!clock.offset) return { day, time: clock.time === '' ? null : `${time}${clock.zone}` };
  const moment = Date.parse(`${time}${clock.offset}`);
  return Number.isNaN(moment) ? { day, time: null } : { day: dayAt(moment), time: `${time}${clock.offset}` };
}

/**
 * The orders in which the numbers of a date can be read; null where nothing has to be decided: it has another form,
 * both orders mean the same day, or neither is a day.
 */
export function ordersOf(given: string): readonly DateOrder[] | null {
  const text = given.trim().replace(/\s+/g, ' ');
  if (text.length > MAX_LENGTH) return null;
  const [date] = splitClock(text);
  const numeric = NUMERIC.exec(date);
  if (!numeric || numeric[1] === numeric[3]) return null;
  const orders = (['dayFirst', 'monthFirst'] as const).filter(
    (order) => numericDay(numeric, order) !== 'unreadable',
  );
  return orders.length === 0 ? null : orders;
}

/**
 * Whether a date with a year of two digits may begin with it, as in Korea: '26-12-31' is more likely of 2026 than of 2031.
 */
export function mayBeginWithYear(given: string): boolean {
  const text = given.trim().replace(/\s+/g, ' ');
  if (text.length > MAX_LENGTH) return false;
  const [, first = '', , second = '', third = ''] = NUMERIC.exec(splitClock(text)[0]) ?? [];
  const isShort = first.length === 2 && third.length === 2 && Number(first) >= FIRST_SHORT_YEAR;
  const isDay = isShort && dayOf(fullYear(first), Number(second), Number(third)) !== 'unreadable';
  return isDay && (first < third || /\. .*\.$/.test(text));
}

/** The order in which all dates are dates; null where each can be read both ways, or they disagree. */
export function decidedOrder(dates: readonly string[]): DateOrder | null {
  const orders = new Set(dates.map(ordersOf).flatMap((each) => (each?.length === 1 ? each : [])));
  const [order] = orders;
  return orders.size === 1 && order ? order : null;
}

/** A day, and whether the text can mean no other one. */
interface MonthEnd {
  readonly day: string;
  readonly isOnly: boolean;
}

/**
 * The last day of the month with which something ends: '12/2026', '2026-12', 'déc-26', 'fin décembre 2026'. Null for a text
 * that does not name a month and a year.
 */
export function readMonthEnd(given: string): MonthEnd | null {
  const text = given.trim().replace(/\s+/g, ' ').toLowerCase();
  if (text.length > MAX_LENGTH) return null;
  const [said = ''] = END_OF.exec(text) ?? [];
  const rest = text.slice(said.length).replace(/\s(?:sonu|г\.?)$/u, '');
  const [, early, late] = YEAR_AND_MONTH.exec(rest) ?? [];
  const [, first = '', sign = '', year = ''] = late
    ? ['', late, '-', early]
    : (MONTH_AND_YEAR.exec(rest) ?? []);
  const isNumber = /^\d/.test(first);
  // "Dec 26" and "12 26" are days without a year, and 12.26 is a price.
  const isJoined = year.length === 4 ? /[-/.]/.test(sign) : /[-/]/.test(sign);
  if (isNumber ? !isJoined : year.length === 2 && !isJoined && said === '' && !/['’]/.test(sign)) return null;
  const month = isNumber ? Number(first) : (monthOf(first) ?? 0);
  const last = new Date(Date.UTC(fullYear(year), month, 0)).getUTCDate();
  const day = dayOf(fullYear(year), month, last);
  // "Dec-26" and "12/26" may be a day.
  const isOnly = year.length === 4 || said !== '' || /['’]/.test(sign) || Number(year) > 31;
  return day === null || day === 'unreadable' ? null : { day, isOnly };
}

/** Both ends of `start/end`, as in Google's promotions. */
export function splitPeriod(text: string): [start: string, end: string] {
  const [start = '', end = ''] = text.split('/');
  return [start, end];
}

/** Seconds or milliseconds since 1970, or Excel's days with a part of a day. */
function instantOf(text: string): number | null {
  if (/^\d{10}(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  return /^\d{13}$/.test(text) ? Number(text) : null;
}

interface Clock {
  /** '23:59:59'; blank for what is no time. */
  readonly time: string;
  /** '+01:00', or blank: an offset moves the day to GMT. */
  readonly offset: string;
  /** What a named zone means: '-05:00', 'Z' or blank. */
  readonly zone: string;
}

function clockIn(text: string) {
  const basic = BASIC_CLOCK.exec(text);
  if (basic) {
    const [whole, date = '', hours = '', minutes = '', seconds] = basic;
    return { date, hours, minutes, seconds, behind: text.slice(whole.length) };
  }
  for (const { 0: whole, 1: hours = '', 2: minutes = '', 3: seconds, index } of text.matchAll(CLOCK)) {
    const before = BEFORE_CLOCK.exec(text.slice(0, index));
    const date = text.slice(0, before?.index ?? 0);
    if (/\d/.test(date)) return { date, hours, minutes, seconds, behind: text.slice(index + whole.length) };
  }
  return null;
}

function splitClock(text: string): [date: string, clock: Clock | null] {
  const found = clockIn(text);
  if (!found) return [text, null];
  const { date, hours, minutes, seconds = '00', behind } = found;
  const [said = '', half = ''] = HALF_DAY.exec(behind) ?? [];
  const rest = behind.slice(said.length).trim();
  // 'Thu Dec 31 23:59:59 UTC 2026'
  const [, zone = rest, year] = /^(.*?)\s?(\d{4})$/.exec(rest) ?? [];
  const isYear = year !== undefined && !/[-+]$/.test(zone);
  const offset = OFFSET.exec(rest);
  return [
    isYear ? `${date} ${year}` : date,
    {
      time: timeOf(hours, minutes, seconds, half.toLowerCase()),
      offset: offset ? `${offset[1]}:${offset[2]}` : '',
      zone: ZONES[(isYear ? zone : rest).trim().toUpperCase()] ?? '',
    },
  ];
}

function timeOf(hours: string, minutes: string, seconds: string, half: string): string {
  // The end of a day, which is not the next one.
  if (`${hours}${minutes}${seconds}` === '240000') return '23:59:59';
  const hour = half ? (Number(hours) % 12) + (half === 'p' ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return '';
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
}

function calendarDay(date: string, order: DateOrder | null): FeedDay {
  const yearFirst = YEAR_FIRST.exec(date) ?? COMPACT.exec(date);
  if (yearFirst) return dayOf(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const numeric = NUMERIC.exec(date);
  if (numeric) return numericDay(numeric, order);
  const serial = EXCEL_SERIAL.exec(date);
  if (serial) return dayAt(EXCEL_EPOCH + Number(serial[1]) * DAY_MS);
  return namedDay(date);
}

function numericDay([, first, , second, year]: RegExpExecArray, order: DateOrder | null): FeedDay {
  const dayFirst = dayOf(fullYear(year), Number(second), Number(first));
  const monthFirst = dayOf(fullYear(year), Number(first), Number(second));
  if (order === null) return dayFirst === 'unreadable' ? monthFirst : dayFirst;
  return order === 'dayFirst' ? dayFirst : monthFirst;
}

/** '31. Dezember 2026', 'Thursday, December 31st, 2026', '31-Dec-26', '2026 Dec 31'. */
function namedDay(date: string): FeedDay {
  const parts = withoutWeekday(
    date
      .toLowerCase()
      .split(/[\s,./-]+|(?<= d)['’]/)
      .filter(
        (part) => part !== '' && !/^(?:de|del|of|the|den|le|el|il|am|dnia|d|m|г|р|года|року)$/.test(part),
      ),
  ).map((part) => part.replace(/^(\d+)(?:st|nd|rd|th|er|e|º|ª|°)$/, '$1'));
  const [first = '', second = '', third = ''] = parts;
  if (parts.length !== 3) return 'unreadable';
  if (monthOf(second) && /^\d{4}$/.test(first)) return namedOf(third, second, first);
  if (monthOf(second)) return namedOf(first, second, third);
  return monthOf(first) ? namedOf(second, first, third) : 'unreadable';
}

function namedOf(day: string, month: string, year: string): FeedDay {
  if (!/^\d{1,2}$/.test(day) || !/^(?:\d{4}|\d{2})$/.test(year)) return 'unreadable';
  return dayOf(fullYear(year), monthOf(month) ?? 0, Number(day));
}

function fullYear(year = ''): number {
  return year.length === 2 ? 2_000 + Number(year) : Number(year);
}

function dayAt(instant: number): FeedDay {
  if (Number.isNaN(instant)) return 'unreadable';
  const date = new Date(instant);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

function timeAt(instant: number): string | null {
  const day = dayAt(instant);
  if (day === null || day === 'unreadable') return null;
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

function dayOf(year: number, month: number, day: number): FeedDay {
  const date = new Date(Date.UTC(year, month - 1, day));
  // JavaScript turns 31 June into 1 July.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return 'unreadable';
  if (isForEver(year)) return null;
  return year < FIRST_YEAR || year > LAST_YEAR ? 'unreadable' : date.toISOString().slice(0, 10);
}
