import { createRequire } from 'node:module';
import { withoutInvisible } from '#contract/one-line.ts';

/** Loads packages that only feeds need with the first feed. */
const require = createRequire(import.meta.url);

/** The rest of a longer field is ignored. */
const MAX_LOOKED_AT = 20_000;

const BLOCK_END = /<(?:br|hr|\/p|\/li|\/div|\/tr|\/td|\/h\d)\b/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL text refuses U+0000, and nobody reads the others
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The readable text: without markup, entities, control and invisible characters and extra space. */
export function plainText(given: string): string {
  const text = given.slice(0, MAX_LOOKED_AT);
  const readable = (/[<&]/.test(text) ? withoutMarkup(text) : text).replace(CONTROL_CHARACTERS, ' ');
  return withoutInvisible(readable).replace(LONE_SURROGATES, '').replace(/\s+/g, ' ').trim();
}

function withoutMarkup(text: string): string {
  const { load } = require('cheerio') as typeof import('cheerio');
  // Keeps words on both sides of a line break apart.
  const page = load(text.replace(BLOCK_END, ' $&'), null, false);
  page('script, style').remove();
  return page.root().text();
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

/** Splits the pieces of a text into lines; at most `maxLength` characters of a line are kept. */
export async function* readLines(pieces: AsyncIterable<string>, maxLength: number): AsyncGenerator<Line> {
  let number = 1;
  let rest = '';
  let isTooLong = false;
  for await (const piece of pieces) {
    const parts = `${rest}${piece}`.split('\n');
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

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
