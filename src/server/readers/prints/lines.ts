import { canonicalCode } from '#server/core/fold.ts';

/** A line of text in a picture. It may show the code. Lengths are in pixels of the picture as it was read. */
export interface TextLine {
  /** From the left. */
  readonly words: readonly TextWord[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

interface TextWord {
  readonly text: string;
  /** In per cent. */
  readonly confidence: number;
}

/** One reading of all the text in a picture. */
export type TextReading = readonly TextLine[];

/** A row of printed words. */
export interface PrintedLine {
  readonly text: string;
  readonly words: readonly TextWord[];
  /** Of the word that is read worst, in per cent. */
  readonly confidence: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
  /** Whether it shows or may show the code, so that no text is taken from it. */
  readonly isSecret: boolean;
}

/** What is read worse is no word: the bars of a code, a pattern, the table under the coupon. */
const LEAST_CONFIDENCE = 30;

/** Words of a row are at most so many of its heights apart. */
const WIDEST_GAP = 2;

/** The lines from the top, each row once: the reader cuts rows where the gaps are wide. */
export function linesOfPrint(reading: TextReading, codes: readonly string[]): PrintedLine[] {
  const rows: Row[] = [];
  for (const { words, ...box } of reading.toSorted((a, b) => a.left - b.left)) {
    const legible = words.filter(
      ({ text, confidence }) => confidence >= LEAST_CONFIDENCE && /[\p{L}\p{N}\p{Sc}%–-]/u.test(text),
    );
    if (legible.length === 0) continue;
    const row = rows.findLast((each) => isNextTo(each, box));
    if (!row) rows.push({ ...box, words: [...legible] });
    else {
      row.words.push(...legible);
      row.right = Math.max(row.right, box.right);
      row.height = Math.max(row.height, box.height);
    }
  }
  const lines = rows.toSorted((a, b) => a.top - b.top).map(lineOf);
  const secrets = codes.map(canonicalCode).filter((code) => code.length >= SHORTEST_CODE);
  return lines.map((line, at) => ({
    ...line,
    isSecret: isSecret(line.text, lines[at - 1]?.text ?? '', secrets),
  }));
}

interface Row extends Pick<PrintedLine, 'left' | 'top'> {
  words: TextWord[];
  right: number;
  height: number;
}

function isNextTo(row: Row, box: Omit<Row, 'words'>): boolean {
  const [low, high] = [Math.min(row.height, box.height), Math.max(row.height, box.height)];
  const gap = box.left - row.right;
  const shift = Math.abs(row.top + row.height / 2 - box.top - box.height / 2);
  return high < low * 1.7 && shift < low * 0.5 && gap > -low && gap < low * WIDEST_GAP;
}

function lineOf({ words, ...box }: Row): Omit<PrintedLine, 'isSecret'> {
  const text = words.map((word) => word.text).join(' ');
  return { ...box, text, words, confidence: Math.min(...words.map(({ confidence }) => confidence)) };
}

const SHORTEST_CODE = 4;

/** Words that name a code. */
const NAMES_CODE =
  /(?<!\p{L})(?:\p{L}*code[sn]?|promo|(?:voucher|card) (?:no|number)|serial|pin|nip|barcode|n[°º]|no\.|#|c[óo]digo|codice|kod|(?:carte|karten|gutschein|kaart)-?n\p{L}+|(?:num[eé]ro|n[uú]mero|numer) d\p{L}{0,3} \p{L}+)(?!\p{L})/iu;
/** A word with the signs of an amount. */
const WORD = /\$?[\p{L}\d-]{5,}%?/gu;
const MANY_DIGITS = /\d[\d -]{6,}\d/;
const ORDINAL = /\b\d+(?:st|nd|rd|th|er|e)\b/gi;

/**
 * Whether a line shows the code, or may. A code in the symbol may be printed in parts, with a line for each.
 * @param before the line above, which may only name the code
 */
function isSecret(text: string, before: string, codes: readonly string[]): boolean {
  const seen = canonicalCode(text);
  const isPart = codes.some(
    (code) => seen.includes(code) || (seen.length >= SHORTEST_CODE && code.includes(seen)),
  );
  return (
    isPart ||
    NAMES_CODE.test(text) ||
    isLikeCode(text.replace(ORDINAL, '')) ||
    (NAMES_CODE.test(before) && /[\p{L}\p{N}°º#][:：]?$/u.test(before.trimEnd()) && !/\d/.test(before))
  );
}

/** The codes that lines show, in the form in which they are compared. */
export function printedCodes(lines: readonly PrintedLine[]): string[] {
  return lines
    .filter(({ isSecret: isShown }) => isShown)
    .flatMap(({ text }) => text.replace(ORDINAL, '').match(WORD) ?? [])
    .filter((word) => /\d/.test(word) && !/[$%]/.test(word))
    .map(canonicalCode);
}

/** Letters and digits in one word, or many digits: what people type as a code. Amounts and dates have other signs. */
function isLikeCode(text: string): boolean {
  const words = (text.match(WORD) ?? []).map((word) => {
    const parts = word.split('-');
    return parts.slice(word.startsWith('$') ? 1 : 0, word.endsWith('%') ? -1 : undefined).join('-');
  });
  return (
    words.some((word) => word.length >= 5 && /\d/.test(word) && /\p{L}/u.test(word)) || MANY_DIGITS.test(text)
  );
}

/** Whether a line goes on in the next one: close below, as tall, and with the same start or middle. */
export function goesOn(line: PrintedLine, next: PrintedLine): boolean {
  const height = Math.max(line.height, next.height);
  const gap = next.top - line.top - line.height;
  const isAligned =
    Math.abs(line.left - next.left) < height ||
    Math.abs(line.left + line.right - next.left - next.right) < 2 * height;
  const ratio = Math.min(line.height, next.height) / height;
  return ratio > 0.6 && gap > -height / 2 && gap < height * 1.3 && isAligned;
}
