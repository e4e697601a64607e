import { dateOrderOf } from '#contract/coupons/date-order.ts';
import { withoutEnd } from '#server/core/text.ts';
import {
  type DateOrder,
  decidedOrder,
  mayBeginWithYear,
  ordersOf,
  readDate,
  readMonthEnd,
} from '../feeds/dates.ts';
import { monthOf } from '../feeds/month-names.ts';
import type { PrintedLine } from './lines.ts';

/** A fact, and whether it may be wrong. */
export interface Fact<Value> {
  readonly value: Value;
  readonly isDoubtful: boolean;
}

/** Only names of months are left of longer words when it is looked for. */
const MONTH = '(?<!\\p{L})[\\p{L}\\p{M}]{3,14}(?!\\p{L})\\.?';
const ORDINAL = '(?:st|nd|rd|th|er)?';
const YEAR = "(?:20\\d\\d|['’]?\\d\\d)(?!\\d)";
const OF = "(?:del?\\s|of\\s|d['’])?";
const DATES = new RegExp(
  [
    '20\\d\\d\\s?[-/.]\\s?\\d{1,2}\\s?[-/.]\\s?\\d{1,2}(?!\\d)',
    `\\d{1,2}\\s?([-/.])\\s?\\d{1,2}\\s?\\1\\s?${YEAR}\\.?`,
    `\\d{1,2}${ORDINAL}[\\s.-]{0,2}${OF}${MONTH}[\\s.,-]{0,2}${OF}${YEAR}`,
    `${MONTH}[\\s.-]{0,2}\\d{1,2}${ORDINAL}[\\s,.-]{1,2}${YEAR}`,
    `20\\d\\d[\\s.-]{1,2}${MONTH}[\\s.-]{1,2}\\d{1,2}(?!\\d)`,
    // A month with a year, not of a day in front; "12/26" may be one.
    `(?<!\\d.{0,8})${MONTH}[\\s.,-]{0,2}${OF}(?:20\\d\\d|['’]\\d\\d)(?!\\d)|(?<![\\d/.-])\\d{1,2}[-/.](?:20\\d\\d|\\d\\d)(?![\\d%/.-])`,
    `20\\d\\d-\\d{1,2}(?![\\d-])`,
    `${MONTH}\\s?\\d{1,2}${ORDINAL}(?!\\d)|\\d{1,2}${ORDINAL}\\s${MONTH}(?!\\p{L})`,
  ]
    .map((form) => `(?:${form})`)
    .join('|'),
  'giu',
);

const LAST = words(
  'date limite|dernier jour|last day',
  'expir\\p{L}*|exp|valid|good|ends?|until|till?|thru|through|use(?:d)? by|before|by|redeem\\p{L}*|to',
  'jusqu\\p{P}?(?:au|à|a)|valable|valide|[eé]ch[eé]ance|fin|avant|se termine|prend fin',
  'g[uü]ltig|bis|einl[oö]sbar|l[aä]uft|v[aá]lid[oa]|validez|hasta|caduca|caducidad|vence|vencimiento|antes',
  'valid[oa]|fino|scade|scadenza|entro|geldig|tot|verloopt|uiterlijk|validade|até|expira|wa[zż]n[yae]|do|wygasa',
);
const OTHER = words(
  'printed|issued|purchased|date of|since|from|starts?|starting|beginning|after|©|copyright|created|transaction|trans|order',
  'imprim\\p{L}*|[eé]mis\\p{L}*|d[eè]s|à partir|du|command[eé]\\p{L}*|achet[eé]\\p{L}*',
  'vom|ab|seit|gedruckt|ausgestellt|desde|emitid[oa]|dal|emesso|vanaf|sinds|uitgegeven|a partir|od',
);
/** Said of the end of the coupon, not of the day. */
const NO_END = words(
  'no expir\\p{L}*(?: date)?|never expires?|does not expire|without expir\\p{L}*',
  'sans (?:date d\\p{P}?)?(?:expiration|[eé]ch[eé]ance)|n\\p{P}?expire (?:pas|jamais)|aucune (?:date d\\p{P}?)?(?:expiration|[eé]ch[eé]ance)',
  'unbegrenzt g[uü]ltig|kein (?:ablauf|verfall)\\p{L}*|no caduca|sin (?:fecha de )?(?:caducidad|vencimiento)|senza scadenza|non scade',
  'onbeperkt geldig|geen (?:verval|eind)datum|verloopt niet|sem (?:data de )?validade|n[aã]o expira|bezterminow[oya]',
);

function words(...lists: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${lists.join('|')})(?!\\p{L})`, 'giu');
}

/** What is read worse may be another day. */
const SURE = 80;
const LATEST_YEARS = 10;

/** Whether the print says that the coupon has no last day. */
export function saysNoEnd(lines: readonly PrintedLine[]): boolean {
  return lines.some(({ text }) => text.search(NO_END) !== -1);
}

/** Whether a line is about when a coupon is valid. */
export function isAboutDays({ text }: PrintedLine): boolean {
  return daysIn(text).length > 0 || text.search(NO_END) !== -1;
}

/** The last day in the lines of a coupon that is photographed on a day ('2030-01-01'); null if none is printed. */
export function readLastDay(lines: readonly PrintedLine[], today: string): Fact<string> | null {
  const order = decidedOrder(lines.flatMap(({ text }) => daysIn(text).map((day) => plainDay(day.text))));
  const found = lines.flatMap((line, at) => {
    const days = daysIn(line.text);
    return days.flatMap(({ text, lead, isAfter }) => {
      const before = days.length === 1 && lead.trim() === '' ? (lines[at - 1]?.text ?? '') : lead;
      const isLast = isAfter || lastOf(LAST, before) > lastOf(OTHER, before);
      const isOther = !isLast && lastOf(OTHER, before) >= 0;
      const day = isOther ? null : dayOf(text, { today, order, isLast });
      return day ? [{ ...day, isLast, confidence: confidenceOf(line, text) }] : [];
    });
  });
  const named = found.filter(({ isLast }) => isLast);
  const chosen = (named.length > 0 ? named : found).toSorted((a, b) => (a.value < b.value ? 1 : -1));
  const [latest] = chosen;
  if (!latest) return null;
  const isOnly = new Set(chosen.map(({ value }) => value)).size === 1;
  const { value, isLast, confidence } = latest;
  return { value, isDoubtful: latest.isDoubtful || !isLast || !isOnly || confidence < SURE };
}

interface PrintedDay {
  readonly text: string;
  /** What stands between it and the day before it. */
  readonly lead: string;
  /** Whether it is the second day of a period. */
  readonly isAfter: boolean;
}

function daysIn(printed: string): PrintedDay[] {
  const days: PrintedDay[] = [];
  // A narrow gap is easily lost: 'AUG 12027'.
  const line = printed.replace(/(\p{L}\s?\d{1,2})(20\d\d)(?!\d)/gu, '$1 $2');
  const masked = line.replace(/[\p{L}\p{M}]{3,}/gu, (word) =>
    monthOf(word) !== null || /^del$/i.test(word) ? word : '·'.repeat(word.length),
  );
  let end = 0;
  for (const match of masked.matchAll(DATES)) {
    const text = line.slice(match.index, match.index + match[0].length);
    const lead = line.slice(end, match.index);
    const isAfter = days.length > 0 && /^(?:[-–—~]|to|thru|through|until|au|à)?$/iu.test(lead.trim());
    days.push({ text, lead, isAfter });
    end = match.index + text.length;
  }
  // Of a period only the second day is the last one.
  return days.filter((_, at) => !days[at + 1]?.isAfter);
}

/** A date as it is typed: print has other gaps. */
function plainDay(text: string): string {
  return text
    .replace(/(\d)\s?([-/.])\s?(?=\d)/g, '$1$2')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .replace(/(\d) (st|nd|rd|th|er)\b/gi, '$1$2');
}

interface Surroundings {
  readonly today: string;
  /** Of day and month in the other dates; null where they do not tell. */
  readonly order: DateOrder | null;
  /** Whether it is said to be the last day. */
  readonly isLast: boolean;
}

function dayOf(text: string, { today, order, isLast }: Surroundings): Fact<string> | null {
  const plain = plainDay(text);
  const year = Number(today.slice(0, 4));
  const isPossible = (day: string) => day >= today && Number(day.slice(0, 4)) <= year + LATEST_YEARS;
  const isTwofold = ordersOf(plain)?.length === 2;
  const { day } = readDate(plain.replace(/['’]/g, ''), isTwofold ? (order ?? dateOrderOf()) : null);
  if (day !== null && day !== 'unreadable')
    return isPossible(day)
      ? { value: day, isDoubtful: (isTwofold && order === null) || mayBeginWithYear(text) }
      : null;
  // A month may be the name of a sale.
  const end = readMonthEnd(plain);
  if (end) return isLast && isPossible(end.day) ? { value: end.day, isDoubtful: !end.isOnly } : null;
  // Without a year, it is the next such day.
  for (const each of [year, year + 1]) {
    const next = readDate(`${plain.replace(/(\d)(?:st|nd|rd|th|er)\b/gi, '$1')} ${each}`, null).day;
    if (next !== null && next !== 'unreadable' && next >= today) return { value: next, isDoubtful: true };
  }
  return null;
}

/** Where the last of such words begins; -1 without one. */
function lastOf(pattern: RegExp, text: string): number {
  return [...text.matchAll(pattern)].at(-1)?.index ?? -1;
}

/** The worst of the words that a part of a line consists of. */
export function confidenceOf({ words: all, confidence }: PrintedLine, part: string): number {
  const own = all.filter(({ text }) => /\d/.test(text) && part.includes(withoutEnd(text, ',.;:')));
  return own.length > 0 ? Math.min(...own.map((word) => word.confidence)) : confidence;
}
