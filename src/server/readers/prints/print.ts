import { TERMS_MAX, TITLE_MAX } from '#contract/coupons/limits.ts';
import { canonicalCode } from '#server/core/fold.ts';
import type { Worth } from '../feeds/money.ts';
import { namedIn } from './labelled.ts';
import { type Fact, isAboutDays, readLastDay, saysNoEnd } from './last-day.ts';
import { goesOn, linesOfPrint, type PrintedLine, printedCodes, type TextReading } from './lines.ts';
import { printedWorths, readPrintedWorth } from './worth.ts';

/** What the print of a coupon says: its code only where no symbol in the picture holds one. */
export interface Print {
  /** The only code that the text names, to be compared with the picture: an O is read as a 0. */
  readonly code: string | null;
  readonly worth: Fact<Worth> | null;
  readonly expiryDate: Fact<string> | null;
  readonly hasNoExpiry: boolean;
  readonly title: Fact<string> | null;
  readonly terms: string | null;
  /** Lines that may name the merchant, the likeliest first. */
  readonly names: readonly string[];
}

const TERMS = new RegExp(
  `(?<!\\p{L})(?:${[
    'limit|not valid|cannot|may not|excludes?|excluding|minimum|void|participating|one per|per (?:customer|person|household)',
    'combined|no cash|cash value|present (?:this|coupon)|must|restrictions?|conditions?|terms|redeemable|other (?:offers?|discounts?)',
    'limite|non valable|ne peut|sauf|minimum|exclu\\p{L}*|par (?:client|personne)|présente\\p{L}*|sur présentation',
  ].join('|')})(?!\\p{L})`,
  'iu',
);
/** What a shop prints that is neither a name nor an offer. */
const NOISE =
  /(?<!\p{L})(?:store|reg|trans|tel|phone|call|www|http|thank you|merci|coupons?|page|receipt)(?!\p{L})/iu;
const OFFER =
  /[%$€£]|(?<!\p{L})(?:off|save|free|for \d|get|buy|rabais|gratuit|spend|purchase|order|any|with|your|sur|visit)(?!\p{L})/iu;

/** A line whose words are read worse is no text for people. */
const LEGIBLE = 65;
const SURE = 85;

/** How many lines may name the merchant: the name is among the largest. */
const MOST_NAMES = 12;

/**
 * What several readings of the text of one picture say. What they disagree about is doubtful.
 * @param today the day on which the coupon is looked at: '2030-01-01'
 * @param codes those in the picture
 */
export function readPrint(
  readings: readonly TextReading[],
  { today, codes }: { readonly today: string; readonly codes: readonly string[] },
): Print {
  const all = readings.map((reading) => linesOfPrint(reading, codes));
  const worths = all.map((lines) => readPrintedWorth(lines));
  const titles = all.map((lines, at) => titleOf(lines, worths[at]?.lines ?? []));
  const worth = agreed(worths, ({ value, discountType }) => `${value} ${discountType}`);
  const expiryDate = agreed(
    all.map((lines) => readLastDay(lines, today)),
    (day) => day,
  );
  const title = titles.toSorted((a, b) => Number(a?.isDoubtful ?? true) - Number(b?.isDoubtful ?? true))[0];
  const isSeveral = all.some((lines) => saysSeveral(lines, codes));
  const ofOne = <Value>(fact: Fact<Value> | null) =>
    fact && { ...fact, isDoubtful: fact.isDoubtful || isSeveral };
  return {
    code: codes.length > 0 || isSeveral ? null : codeNamedIn(all),
    worth: ofOne(worth),
    expiryDate: ofOne(expiryDate),
    hasNoExpiry: !isSeveral && all.some(saysNoEnd),
    title: ofOne(title ?? null),
    terms: isSeveral ? null : longest(all.map(termsOf)),
    names: namesOf(all),
  };
}

/** Whether the facts may be of several coupons: there are two codes and two values. */
function saysSeveral(lines: readonly PrintedLine[], codes: readonly string[]): boolean {
  const found = [...codes.map(canonicalCode), ...printedCodes(lines)].toSorted((a, b) => b.length - a.length);
  const [longestCode = ''] = found;
  const values = new Set(printedWorths(lines).map(({ value }) => `${value.value} ${value.discountType}`));
  return values.size > 1 && found.some((code) => !longestCode.includes(code));
}

/** The code of the reading that reads it best. */
function codeNamedIn(readings: readonly (readonly PrintedLine[])[]): string | null {
  const found = readings.flatMap((lines) => {
    const named = namedIn(lines.map(({ text }) => text)).filter(({ kind }) => kind !== 'pin');
    const [one, another] = named;
    return one && !another ? [{ text: one.text, confidence: lines[one.at]?.confidence ?? 0 }] : [];
  });
  return found.toSorted((a, b) => b.confidence - a.confidence)[0]?.text ?? null;
}

/** The fact of the reading without a doubt; doubtful if another reading says something else. */
function agreed<Value>(
  facts: readonly (Fact<Value> | null)[],
  key: (value: Value) => string,
): Fact<Value> | null {
  const found = facts.filter((fact) => fact !== null);
  const chosen = found.find(({ isDoubtful }) => !isDoubtful) ?? found[0];
  if (!chosen) return null;
  const { value } = chosen;
  const isDisputed = found.some((fact) => key(fact.value) !== key(value));
  return { value, isDoubtful: chosen.isDoubtful || isDisputed };
}

/** The offer in words: the lines with its value, or the largest one about an offer, and what goes on below. */
function titleOf(lines: readonly PrintedLine[], worth: readonly PrintedLine[]): Fact<string> | null {
  const texts = lines.filter(
    (line) => !line.isSecret && line.confidence >= LEGIBLE && !isAboutDays(line) && !isTerms(line),
  );
  const offers = texts.filter(({ text }) => OFFER.test(text)).toSorted((a, b) => b.height - a.height);
  const head = worth.length > 0 ? worth.filter((line) => texts.includes(line)) : offers.slice(0, 1);
  const last = head.at(-1);
  if (!last) return null;
  const more = texts.filter(
    (line) =>
      line.top > last.top &&
      line.top - last.top - last.height < last.height * 1.3 &&
      !head.includes(line) &&
      !NOISE.test(line.text) &&
      (OFFER.test(line.text) || goesOn(last, line)),
  );
  const parts = [...head, ...more.slice(0, 1)];
  const text = parts.map((line) => line.text).join(' ');
  if (text.length > TITLE_MAX || text.length < 5) return null;
  return { value: text, isDoubtful: parts.some(({ confidence }) => confidence < SURE) };
}

function isTerms({ text }: PrintedLine): boolean {
  return TERMS.test(text);
}

/** The small print, where it is legible. */
function termsOf(lines: readonly PrintedLine[]): string {
  const own = lines.filter(
    (line, at) =>
      isTerms(line) || (at > 0 && isTerms(lines[at - 1] ?? line) && goesOn(lines[at - 1] ?? line, line)),
  );
  return own
    .filter(({ isSecret, confidence }) => !isSecret && confidence >= LEGIBLE)
    .map(({ text }) => text)
    .join(' ')
    .slice(0, TERMS_MAX);
}

function longest(texts: readonly string[]): string | null {
  return texts.toSorted((a, b) => b.length - a.length)[0] || null;
}

function namesOf(readings: readonly (readonly PrintedLine[])[]): string[] {
  const lines = readings.flatMap((all) =>
    all.filter(
      (line) =>
        !line.isSecret &&
        line.text.length <= 60 &&
        /\p{L}{2}/u.test(line.text) &&
        !isAboutDays(line) &&
        !isTerms(line),
    ),
  );
  // What a reader makes of the bars of a code: LULU, [IIL.
  const isBars = ({ text }: PrintedLine) => {
    const [word = '', more] = text.match(/\p{L}[\p{L}1]*/gu) ?? [];
    return more === undefined && /^(?:[LIUTHNMRFEK1]{1,5}|\p{L}{1,2})$/iu.test(word);
  };
  // An offer may stand on the line of a name, but is none.
  const likely = (line: PrintedLine) =>
    line.height *
    (line.confidence >= LEGIBLE ? 1 : 0.5) *
    (OFFER.test(line.text) || NOISE.test(line.text) || isBars(line) ? 0.1 : 1);
  const texts = lines.toSorted((a, b) => likely(b) - likely(a)).map(({ text }) => text.trim());
  return [...new Set(texts)].slice(0, MOST_NAMES);
}
