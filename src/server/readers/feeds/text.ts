import { createRequire } from 'node:module';
import { seenText } from '#server/core/text.ts';

/** Loads packages that only feeds need with the first feed. */
const require = createRequire(import.meta.url);

/** The rest of a longer field is ignored. */
const MAX_LOOKED_AT = 20_000;

const BLOCK_END = /<(?:br|hr|\/p|\/li|\/div|\/tr|\/td|\/h\d)\b/gi;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** How often a text is decoded at most: each program on its way may have encoded it once more. */
const MAX_ROUNDS = 5;

/** A tag of HTML: what else stands in angle brackets is text. */
const TAG = /<\/?([a-z]+[1-6]?)(?:\s[^<>]*)?\/?>|<!--/gi;
const TAGS = new Set(
  [
    ...[
      'a abbr b big blockquote body br button center code dd div dl dt em font h1 h2 h3 h4 h5 h6 head hr html i',
    ],
    ...[
      'iframe img input li link meta ol p pre s script small span strike strong style sub sup svg table tbody td',
    ],
    ...['th thead title tr tt u ul'],
  ].flatMap((names) => names.split(' ')),
);

/**
 * The readable text: without markup, entities, invisible and control characters and extra space. Entities are decoded as
 * often as they were encoded.
 */
export function plainText(given: string): string {
  return shownText(given, 'Attribute');
}

/** The same of a code, in which "&REG" is no sign: an entity of it ends with a semicolon. */
export function plainCode(given: string): string {
  return shownText(given, 'Strict');
}

function shownText(given: string, mode: 'Attribute' | 'Strict'): string {
  let text = given.slice(0, MAX_LOOKED_AT);
  for (let round = 0, before = ''; text !== before && round < MAX_ROUNDS; round += 1) {
    before = text;
    text = hasMarkup(text) ? withoutMarkup(text) : decoded(text, mode);
  }
  return seenText(text).replace(/\s+/g, ' ').trim();
}

function hasMarkup(text: string): boolean {
  for (const [, name] of text.matchAll(TAG))
    if (name === undefined || TAGS.has(name.toLowerCase())) return true;
  return false;
}

/** A value that has no markup, such as an address, with its entities decoded as often as they were encoded. */
export function decodedValue(given: string): string {
  let text = given;
  for (let round = 0, before = ''; text !== before && round < MAX_ROUNDS; round += 1) {
    before = text;
    text = decoded(text, 'Strict');
  }
  return text;
}

function decoded(text: string, mode: 'Attribute' | 'Strict'): string {
  if (!text.includes('&')) return text;
  const { decodeHTML, DecodingMode } = require('entities') as typeof import('entities');
  return decodeHTML(text, DecodingMode[mode]);
}

function withoutMarkup(text: string): string {
  const { load } = require('cheerio') as typeof import('cheerio');
  // Keeps words on both sides of a line break apart.
  const page = load(text.replace(BLOCK_END, ' $&'), { xml: { xmlMode: false } }, false);
  let found = '';
  // A list of what is left, as markup can be nested deeper than calls.
  const left = page.root().contents().toArray().toReversed();
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === 'text') found += node.data;
    else if (node.type === 'tag') left.push(...node.children.toReversed());
  }
  return found;
}

/** The text, cut to at most `max` characters with an ellipsis. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text
    .slice(0, max - 1)
    .replace(LONE_SURROGATES, '')
    .trimEnd();
  return `${cut}…`;
}

/** A line without its end; null for one that is too long. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
}

/**
 * Splits the pieces of a text into lines; at most `maxLength` characters of a line are kept. The first line decides what
 * ends a line: '\n', '\r\n', or '\r' alone, as old programs on a Mac write it.
 */
export async function* readLines(pieces: AsyncIterable<string>, maxLength: number): AsyncGenerator<Line> {
  let number = 1;
  let rest = '';
  let isTooLong = false;
  let end: string | null = null;
  for await (const piece of pieces) {
    const text = `${rest}${piece}`;
    end ??= endOfLines(text);
    const parts = text.split(end ?? '\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield { number, text: isTooLong || part.length > maxLength ? null : withoutReturn(part) };
      isTooLong = false;
      number += 1;
    }
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  if (isTooLong || rest.length > maxLength) yield { number, text: null };
  else if (rest !== '') yield { number, text: withoutReturn(rest) };
}

/** Null while it cannot be known. */
function endOfLines(text: string): string | null {
  const first = /\r?\n|\r(?!$)/.exec(text)?.[0];
  return first === undefined ? null : first === '\r' ? '\r' : '\n';
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
