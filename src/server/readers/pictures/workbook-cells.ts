import { t } from '@lingui/core/macro';
import { dateFromSerial, format, getFormatDateInfo, getFormatInfo, isDateFormat } from 'numfmt';
import { type Cell, cellOfText } from '../tables/lines.ts';

/** A cell as a workbook stores it. */
export interface StoredCell {
  /** Of its text: 's' (the place of a shared text), 'n' (a number), 'b', 'e', 'd', 'str' or 'inlineStr'. */
  readonly type: string;
  readonly style: number;
  readonly text: string;
  readonly hasFormula: boolean;
}

/** How a workbook shows numbers. */
export interface Formats {
  /** The pattern of each style. */
  readonly patterns: readonly string[];
  /** Whether its days are counted from 1904. */
  readonly is1904: boolean;
}

const GENERAL = 'General';
/**
 * The patterns that have numbers of their own (ECMA-376, part 1, 18.8.30). Those of amounts show the currency of whoever
 * looks at them: they count as numbers.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00' },
  ...{ 5: '#,##0', 6: '#,##0', 7: '#,##0.00', 8: '#,##0.00', 12: '# ?/?', 13: '# ??/??' },
  ...{ 14: 'm/d/yyyy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM' },
  ...{ 20: 'h:mm', 21: 'h:mm:ss', 22: 'm/d/yyyy h:mm', 37: '#,##0', 38: '#,##0', 39: '#,##0.00' },
  ...{ 40: '#,##0.00', 41: '#,##0', 42: '#,##0', 43: '#,##0.00', 44: '#,##0.00', 45: 'mm:ss' },
  ...{ 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@' },
};
/** Spreadsheets take no longer ones. */
const PATTERN_MAX = 255;
/** What days counted from 1904 lack. */
const DAYS_TO_1904 = 1_462;

/**
 * The pattern of each style of a workbook.
 * @param own the patterns that the workbook itself names, by their numbers
 * @param styles the number of each style's pattern
 */
export function patternsOf(own: ReadonlyMap<number, string>, styles: readonly number[]): readonly string[] {
  return styles.map((id) => {
    const pattern = own.get(id) ?? BUILT_IN[id] ?? GENERAL;
    return pattern.length > PATTERN_MAX ? GENERAL : pattern;
  });
}

/** A cell as the spreadsheet shows it. */
export function shownCell(cell: StoredCell, strings: readonly string[], formats: Formats): Cell {
  const { type, text, hasFormula } = cell;
  switch (type) {
    case 's':
      return cellOfText(unescaped(strings[Number(text)] ?? ''));
    case 'b':
      return { text: text === '1' ? 'TRUE' : 'FALSE' };
    case 'e':
      return { text: '', lacks: 'error' };
    case 'd':
      return { text, day: text.slice(0, 10) };
    case 'n':
      if (text.trim() === '') return hasFormula ? { text: '', lacks: 'formula' } : { text: '' };
      return shownNumber(Number(text), cell, formats);
    default:
      return cellOfText(unescaped(text));
  }
}

/** Characters that XML cannot have, as workbooks write them: `_x000D_`. */
function unescaped(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))).trim();
}

function shownNumber(value: number, { style, text }: StoredCell, { patterns, is1904 }: Formats): Cell {
  const pattern = patterns[style] ?? GENERAL;
  if (!Number.isFinite(value)) return { text };
  if (isDateFormat(pattern)) return shownDay(value + (is1904 ? DAYS_TO_1904 : 0), pattern);
  const { type, maxDecimals, scale } = getFormatInfo(pattern);
  const held = plain(value);
  if (type === 'general' || type === 'text') return { text: held, isNumber: true };
  const shown = formatted(pattern, value);
  const scaled = Number((value * scale).toPrecision(15));
  const isRounded = Math.abs(scaled - Number(scaled.toFixed(Math.min(maxDecimals, 20)))) > 1e-9;
  if (shown === null || (isRounded && type !== 'fraction' && type !== 'scientific')) {
    const whole = scale === 100 ? `${plain(scaled)}%` : held;
    return {
      text: shown ?? held,
      isNumber: true,
      doubt: t`The spreadsheet holds ${whole}, and shows ${shown ?? '?'}.`,
    };
  }
  return { text: shown, isNumber: true };
}

/** A number as spreadsheets count: with 15 digits, and whole ones with all that are stored. */
function plain(value: number): string {
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)));
}

/** Null where the pattern is none. */
function formatted(pattern: string, value: number): string | null {
  try {
    return format(pattern, value).trim();
  } catch {
    return null;
  }
}

/** A day as the spreadsheet shows it, and which one it holds as far as it shows its parts. */
function shownDay(value: number, pattern: string): Cell {
  const text = formatted(pattern, value) ?? plain(value);
  const { year, month, day } = getFormatDateInfo(pattern);
  if (!month) return { text };
  const [years, months, days] = dateFromSerial(value);
  const twoDigits = (part: number | undefined) => String(part).padStart(2, '0');
  const held = `${years}-${twoDigits(months)}-${twoDigits(days)}`;
  if (!day) return { text, day: year ? held.slice(0, -3) : text };
  return year
    ? { text, day: held }
    : { text, day: held, doubt: t`The spreadsheet shows ${text}, without a year.` };
}
