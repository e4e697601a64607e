import { locale } from '#contract/base/i18n.ts';
import { type Cents, centsToDecimal } from '#contract/base/money.ts';

/** Of the whole part; with more, hundredths are no longer exact. Each field says which amount is too large for it. */
const MAX_DIGITS = 13;

/** The language, or the computer's if it has no proper name: Chromium says 'en-US@posix' where none is set. */
function properLanguage(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

/** The browser's on a page in English, which people of all languages read; else the page's. */
function typistsLanguage(): string {
  return locale() === 'en' ? navigator.language : locale();
}

/** How a language writes numbers. */
function customsOf(named: string) {
  const language = properLanguage(named);
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8);
  const markOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value;
  const [, middle = ''] = parts.filter(({ type }) => type === 'integer').map(({ value }) => value);
  const digits = [...new Intl.NumberFormat(language, { useGrouping: false }).format(9_876_543_210)].reverse();
  return { decimal: markOf('decimal'), group: markOf('group'), groupLength: middle.length, digits };
}

/** Marks between digits: a point, a comma, spaces of any width, apostrophes, and those of Arabic numbers. */
const PATTERN = /^\d+(?:[.,\s'’٫٬]\d+)*$/;
/** Only these separate groups in every language. */
const GROUPING = /[\s'’٬]/;

/**
 * Hundredths of an amount as people type it: with a comma or a point, with or without grouping. What could be a group
 * or a fraction ('1,234') is what it is in the viewer's language. Null if it is no amount, or has more than two
 * decimals.
 */
export function typedCents(text: string, language = typistsLanguage()): Cents | null {
  const { decimal, group, groupLength, digits } = customsOf(language);
  const plain = [...text.trim()].map((character) => {
    const digit = digits.indexOf(character);
    return digit === -1 ? character : String(digit);
  });
  const typed = plain.join('');
  if (!PATTERN.test(typed)) return null;
  const numbers = typed.split(/\D/);
  const marks = [...typed].filter((character) => /\D/.test(character));

  const last = marks.at(-1);
  const isOnce = last !== undefined && marks.indexOf(last) === marks.length - 1;
  const isGroup = marks.length === 1 && last === group && numbers[1]?.length === 3;
  const hasFraction = isOnce && !isGroup && (last === decimal || !GROUPING.test(last));
  const fraction = hasFraction ? numbers.pop() : undefined;
  if (hasFraction) marks.pop();
  if (fraction !== undefined && fraction.length > 2) return null;
  if (!isGrouped(numbers, marks, groupLength)) return null;
  const whole = numbers.join('');
  return whole.length > MAX_DIGITS ? null : Number(whole) * 100 + Number((fraction ?? '').padEnd(2, '0'));
}

/** Whether a whole number is in one piece, or in groups with the same mark between them. */
function isGrouped(numbers: readonly string[], marks: readonly string[], groupLength: number): boolean {
  if (marks.length === 0) return true;
  const [first = '', ...rest] = numbers;
  const isSame = new Set(marks.map((mark) => (/\s/.test(mark) ? ' ' : mark))).size === 1;
  const middle = rest.slice(0, -1);
  const areWhole = middle.every(
    ({ length }) => length === middle[0]?.length && [3, groupLength].includes(length),
  );
  return isSame && /^[1-9]\d{0,2}$/.test(first) && areWhole && rest.at(-1)?.length === 3;
}

/** A decimal text as people type it: '9.50', in French '9,50'. */
export function asTyped(decimal: string): string {
  return decimal.replace('.', customsOf(locale()).decimal ?? '.');
}

/** The decimal text ('9.50') of what was typed, or else the text itself, which the contract refuses in its own words. */
export function asDecimal(text: string): string {
  const cents = typedCents(text);
  return cents === null ? text : centsToDecimal(cents);
}
