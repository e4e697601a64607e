import { baseCurrency } from '#contract/base/money.ts';
import { readAmount } from '../feeds/amounts.ts';
import { readCode } from '../feeds/codes.ts';
import { readDate, readMonthEnd } from '../feeds/dates.ts';
import { type Column, columnCalled } from './column-names.ts';
import type { Cell, Line } from './lines.ts';

/** Which column is at which place. */
export type Places = ReadonlyMap<Column, number>;

function columnNamed(head: string): Column | undefined {
  if (/%/.test(head) && /^(?:%|% ?off|discount|rabais|value|valeur)/i.test(head.replace(/[()]/g, '').trim()))
    return 'percentOff';
  if (/\$/.test(head) && /^(?:\$|value|amount|discount|worth)/i.test(head.trim())) return 'amountOff';
  return columnCalled(head) ?? columnCalled(withoutUnit(head));
}

/** A head without what it says in brackets, and without the currency behind it. */
function withoutUnit(head: string): string {
  const [open, close] = [head.indexOf('('), head.lastIndexOf(')')];
  const short = (open < 0 || close < open ? head : head.slice(0, open) + head.slice(close + 1)).trim();
  const currency = ` ${baseCurrency()}`;
  return short.toUpperCase().endsWith(currency) ? short.slice(0, -currency.length) : short;
}

/** Names of columns, and the other names beside them. */
interface Head {
  readonly places: Places;
  readonly unused: readonly string[];
}

/** The columns that a row names; null if it names none. */
function namedColumns(cells: readonly Cell[]): Head | null {
  const places = new Map<Column, number>();
  const unused: string[] = [];
  for (const [place, { text }] of cells.entries()) {
    const head = text.trim();
    // What has digits is no name: '$15', 'Coupon 7'.
    const column = /\d/.test(head) ? undefined : columnNamed(head);
    if (column && !places.has(column)) places.set(column, place);
    else if (head !== '') unused.push(head);
  }
  const [other = ''] = unused;
  const isHead = places.size > 1 || (places.size === 1 && unused.length < 2 && !/\d/.test(other));
  return isHead ? { places, unused } : null;
}

/** The row with the names of the columns is one of the first. */
const HEAD_WITHIN = 20;

/** The row that names the columns, and its place: the first with several names, else the first with one. */
export function headIn(lines: readonly Line[]): (Head & { readonly index: number }) | null {
  const heads = lines.slice(0, HEAD_WITHIN).flatMap(({ cells }, index) => {
    const head = namedColumns(cells);
    return head ? [{ ...head, index }] : [];
  });
  return heads.find(({ places }) => places.size > 1) ?? heads[0] ?? null;
}

/** The columns of a row below the head that names columns again, as each page of a print does; null for any other row. */
export function namedAgain(cells: readonly Cell[]): Head | null {
  const head = namedColumns(cells);
  const isHead = head && head.places.size > 1 && head.places.size > head.unused.length;
  return isHead && !cells.some(({ text }) => /\d/.test(text)) ? head : null;
}

const isDate = (text: string) =>
  /[-/.\s]/.test(text) &&
  !/^\d+[.,]\d+$/.test(text) &&
  (readDate(text, null).day !== 'unreadable' || readMonthEnd(text) !== null);
function isMoney(text: string): boolean {
  const amount = readAmount(text.replace(/\s?off$/i, ''), null);
  return amount !== null && (amount.unit !== null || (amount.hundredths ?? 0) < 1_000_000);
}
/** Whether it looks like a code: names of shops are plain codes, too, so it has digits or looks shouted. */
const isCode = (text: string) =>
  'code' in readCode([text], []) && (/\d/.test(text) || (/^\p{Lu}{5,}$/u.test(text) && !/\s/.test(text)));

/** The columns of a table that does not name them, by what most of their cells look like. */
export function guessedColumns(rows: readonly (readonly string[])[]): Places {
  const places = new Map<Column, number>();
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  // Nobody else sees a code: a line that is none is safest there.
  if (width === 1) return new Map([['code', 0]]);
  const free = new Set(Array.from({ length: width }, (_, place) => place));
  const take = (column: Column, isOne: (text: string) => boolean) => {
    const shares = [...free].map((place) => {
      const texts = rows.map((cells) => cells[place]?.trim() ?? '').filter((text) => text !== '');
      return { place, share: texts.length === 0 ? 0 : texts.filter(isOne).length / texts.length };
    });
    const best = shares.reduce((one, other) => (other.share > one.share ? other : one), {
      place: -1,
      share: 0.5,
    });
    if (best.place === -1) return;
    places.set(column, best.place);
    free.delete(best.place);
  };
  take('end', isDate);
  take('discount', isMoney);
  take('code', isCode);
  take('merchant', (text) => text.length <= 40);
  take('title', (text) => /\p{L}/u.test(text));
  return places;
}
