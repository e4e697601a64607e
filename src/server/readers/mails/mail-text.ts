import type { LeftOut } from '#contract/coupons/left-out.ts';
import { canonicalCode } from '#server/core/fold.ts';
import { type Named, namedIn, unnamedIn } from '../prints/labelled.ts';
import { type Fact, readLastDay, saysNoEnd } from '../prints/last-day.ts';
import { linesOfPrint } from '../prints/lines.ts';
import { type Print, readPrint } from '../prints/print.ts';
import { printOfText } from '../prints/text-print.ts';
import { readPrintedWorth } from '../prints/worth.ts';
import { toldIn } from './forwards.ts';
import type { MailPart } from './parts.ts';

/** A coupon that a mail describes in words. */
export interface ToldCoupon {
  /** '' where it names none. */
  readonly code: string;
  /** '' where it names none. */
  readonly pin: string;
  /** Which of them may be cut off, or another coupon's. */
  readonly doubtful: readonly ('code' | 'pin')[];
  readonly print: Print;
}

/** What the text of a mail says, and what is left out of it. */
export interface ToldCoupons {
  readonly coupons: readonly ToldCoupon[];
  readonly leftOut: readonly LeftOut[];
}

type Text = Pick<MailPart, 'content' | 'html' | 'from' | 'subject'>;

/** More codes than one mail has coupons. */
const CODES_MAX = 20;
/** What is printed on more lines is looked for around the code. */
const LINES_MAX = 300;

/**
 * Reads the text of a mail as that of coupons: none where it names neither a code nor a value. What it says in HTML counts
 * where its text names no code.
 * @param today the day on which it is read: '2030-01-01'
 */
export function readMailText(part: Text, today: string): ToldCoupons {
  const first = readText(part.content, part, today);
  if (hasCode(first) || part.html === '') return first;
  const second = readText(part.html, part, today);
  return hasCode(second) || first.coupons.length === 0 ? second : first;
}

const hasCode = ({ coupons }: ToldCoupons) => coupons.some(({ code }) => code !== '');

function readText(text: string, part: Text, today: string): ToldCoupons {
  const { sender, lines: all } = toldIn(linesOf(text), part);
  const found = namedIn(all);
  const codes = chosenCodes(found);
  const pins = found.filter(({ kind }) => kind === 'pin');
  const lines = windowOf(all, codes[0]?.at ?? 0);
  const secrets = [...codes, ...pins].map((one) => one.text);
  const head = sender === '' ? [] : [sender, ''];
  const print = readPrint([printOfText([...head, ...lines].join('\n'))], { today, codes: secrets });
  if (codes.length > 1) {
    const read = codes.slice(0, CODES_MAX);
    const beyond = codes.length - read.length;
    return {
      coupons: severalCoupons(read, pins, { print, lines: all, today, secrets }),
      leftOut: beyond > 0 ? [{ what: 'codes', count: beyond }] : [],
    };
  }
  if (print.worth === null && codes.length === 0 && pins.length === 0) return { coupons: [], leftOut: [] };
  const code = codes[0] ?? (print.worth ? unnamedIn(all) : null);
  const distinct = new Set(pins.map((pin) => pin.text));
  const pin = distinct.size === 1 ? pins[0] : undefined;
  const doubtful = [
    ...(code?.isDoubtful ? ['code' as const] : []),
    ...(pin?.isDoubtful || distinct.size > 1 ? ['pin' as const] : []),
  ];
  const shown = withoutSecrets(print, [...secrets, ...(code ? [code.text] : [])]);
  const worth = print.worth ?? (code ? worthOfSubject(part.subject) : null);
  return {
    coupons: [{ code: code?.text ?? '', pin: pin?.text ?? '', doubtful, print: { ...shown, worth } }],
    leftOut: [],
  };
}

/** The codes of coupons: the number of a card counts where nothing else is called its code. */
function chosenCodes(found: readonly Named[]): readonly Named[] {
  const codes = found.filter(({ kind }) => kind === 'code');
  const numbers = found.filter(({ kind }) => kind === 'number');
  if (codes.length === 0 || numbers.length === 0) return codes.length === 0 ? numbers : codes;
  // A card with a number and a code: which one the till asks for, its owner knows.
  return codes.map((code) => ({ ...code, isDoubtful: true }));
}

/** Addresses of the web, and what programs write in place of pictures. */
const ADDRESSES =
  /<(?:https?:\/\/|mailto:)[^<>]{0,1500}>|<?(?:https?:\/\/|www\.)\S+|\[(?:image|cid|logo)[^\]\n]{0,200}\]/gi;
/** *Bold* words of a text that was HTML. */
const BOLD = /(?<!\S)\*{1,2}([^\s*][^*\n]{0,200})\*{1,2}(?![^\s.,;:!?)])/g;

/** The lines of a text; cells that stand side by side are "label: value", or lines of their own. */
function linesOf(text: string): string[] {
  const rows = text
    .replace(ADDRESSES, ' ')
    .replace(BOLD, '$1')
    .split(/\r\n?|\n/)
    .map((line) =>
      line
        .replace(/^[\s>|]+/, '')
        .split(/\s*(?:\t|\s\|\s| {3,})[\s|]*/)
        .filter(Boolean),
    );
  const lines: string[] = [];
  let heads: readonly string[] = [];
  for (const [at, cells] of rows.entries()) {
    if (cells.length < 2) {
      heads = [];
      lines.push(cells[0] ?? '');
    } else if (heads.length === cells.length)
      lines.push('', ...cells.map((cell, place) => labelled(heads[place], cell)));
    else if (isHead(cells) && rows[at + 1]?.length === cells.length && !isHead(rows[at + 1] ?? []))
      heads = cells;
    else if (cells.length % 2 === 0 && cells.every((cell, place) => place % 2 === 1 || isLabel(cell)))
      for (let place = 0; place < cells.length; place += 2)
        lines.push(labelled(cells[place], cells[place + 1] ?? ''));
    else lines.push(...cells);
  }
  return lines;
}

const isLabel = (cell: string) => !/\d/.test(cell) && cell.length <= 60;
const isHead = (cells: readonly string[]) => cells.every((cell) => isLabel(cell) && /\p{L}|#/u.test(cell));
const labelled = (label = '', value = '') =>
  /[:：]$/.test(label) ? `${label} ${value}` : `${label}: ${value}`;

/** As many lines as a coupon may have, around that one. */
function windowOf(lines: readonly string[], at: number): readonly string[] {
  const start = Math.max(0, Math.min(at - LINES_MAX / 2, lines.length - LINES_MAX));
  return lines.slice(start, start + LINES_MAX);
}

/** The value that only the subject of a mail names: doubtful, because it may be another offer's. */
function worthOfSubject(subject: string): Print['worth'] {
  const read = readPrintedWorth(linesOfPrint(printOfText(subject), []));
  return read && { value: read.value, isDoubtful: true };
}

/** No text for everybody says a code or a PIN. */
function withoutSecrets(print: Print, secrets: readonly string[]): Print {
  const keys = secrets.map(canonicalCode).filter((key) => key.length >= 3);
  const isPublic = (text: string | null) =>
    text === null || !keys.some((key) => canonicalCode(text).includes(key));
  return {
    ...print,
    title: print.title && isPublic(print.title.value) ? print.title : null,
    terms: isPublic(print.terms) ? print.terms : null,
    names: print.names.filter(isPublic),
  };
}

/** A fact, and the line that says it. */
interface Placed<Value> extends Fact<Value> {
  readonly at: number;
}

interface Whole {
  readonly print: Print;
  readonly lines: readonly string[];
  readonly today: string;
  readonly secrets: readonly string[];
}

/** The coupons of a mail with several codes. What does not go with one of them plainly is doubtful, or left out. */
function severalCoupons(
  codes: readonly Named[],
  pins: readonly Named[],
  { print, lines, today, secrets }: Whole,
): ToldCoupon[] {
  const printed = lines.map((line) => linesOfPrint(printOfText(line), secrets));
  const worths = printed.flatMap((line, at): Placed<NonNullable<Print['worth']>['value']>[] => {
    const worth = readPrintedWorth(line);
    return worth ? [{ ...worth, at }] : [];
  });
  const days = printed.flatMap((line, at): Placed<string>[] => {
    const alone = readLastDay(line, today);
    if (!alone) return [];
    const before = linesOfPrint(printOfText(`${lines[at - 1] ?? ''}\n${lines[at]}`), secrets);
    return [{ ...(readLastDay(before, today) ?? alone), value: alone.value, at }];
  });
  const places = codes.map(({ at }) => at);
  const [worthOf, dayOf] = [
    spread(places, worths, ({ value, discountType }) => `${value} ${discountType}`),
    spread(places, days, String),
  ];
  const pinOf = spread(
    places,
    pins.map((pin) => ({ value: pin.text, isDoubtful: pin.isDoubtful, at: pin.at })),
    String,
  );
  return codes.map((code, nth) => {
    const [worth, pin] = [worthOf[nth] ?? null, pinOf[nth] ?? null];
    const own = worth && readPrint([printOfText(lines[worth.at] ?? '')], { today, codes: secrets });
    const isPinOpen = pins.length > 0 && (pin === null || pin.isDoubtful);
    return {
      code: code.text,
      pin: pin?.value ?? '',
      doubtful: [...(code.isDoubtful ? ['code' as const] : []), ...(isPinOpen ? ['pin' as const] : [])],
      print: withoutSecrets(
        {
          ...{
            code: null,
            worth: factOf(worth),
            expiryDate: factOf(dayOf[nth]),
            title: own?.title ?? null,
            terms: null,
          },
          ...{ hasNoExpiry: days.length === 0 && printed.some(saysNoEnd), names: print.names },
        },
        secrets,
      ),
    };
  });
}

const factOf = <Value>(placed: Placed<Value> | null | undefined): Fact<Value> | null =>
  placed ? { value: placed.value, isDoubtful: placed.isDoubtful } : null;

/**
 * Gives each code its fact: the one before it, or the one behind it, where that is so for all of them. The only fact is that
 * of all codes, with a doubt.
 * @param places the lines of the codes
 */
function spread<Value>(
  places: readonly number[],
  facts: readonly Placed<Value>[],
  key: (value: Value) => string,
): readonly (Placed<Value> | null)[] {
  const isApart = places.every((at, nth) => nth === 0 || at > (places[nth - 1] ?? at));
  if (isApart && facts.length === places.length) {
    const isBefore = facts.every(({ at }, nth) => at <= (places[nth] ?? 0) && at > (places[nth - 1] ?? -1));
    const isBehind = facts.every(
      ({ at }, nth) => at >= (places[nth] ?? 0) && at < (places[nth + 1] ?? Number.POSITIVE_INFINITY),
    );
    if (isBefore || isBehind) return facts;
  }
  const [one] = facts;
  const isOne = one !== undefined && new Set(facts.map(({ value }) => key(value))).size === 1;
  return places.map(() => (isOne ? { ...one, isDoubtful: true } : null));
}
