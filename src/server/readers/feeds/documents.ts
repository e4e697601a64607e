import { createRequire } from 'node:module';
import { FeedRefusal } from './feeds.ts';
import { findRows, isRecord, type ParsedRow, type RowsPlace, withNameKeys } from './record.ts';

/** Loads packages that only feeds need with the first feed. */
const require = createRequire(import.meta.url);

/** Size limits, in bytes, for formats that must be in memory as a whole. */
export const MAX_DOCUMENT_BYTES = { json: 48 << 20, xml: 16 << 20, html: 8 << 20 } as const;

/** The same bytes. @throws FeedRefusal when there are more than `max` */
export async function* atMost(chunks: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > max)
      throw new FeedRefusal(`It is larger than ${max >> 20} MB, the most that this format may have.`);
    yield chunk;
  }
}

/** The rows of a JSON document; `line` counts them from 1. @throws FeedRefusal */
export function* readJson(text: string, place: RowsPlace): Generator<ParsedRow> {
  yield* toRows(findRows(withNameKeys(parseJson(text)), place));
}

/** Numbers are read as texts: JavaScript would change a code of 17 digits. @throws FeedRefusal */
function parseJson(text: string): unknown {
  const { parse } = require('lossless-json') as typeof import('lossless-json');
  try {
    return parse(text, null, { parseNumber: (number) => number, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    const position = Number(/position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]);
    const line =
      position < text.length ? ` There is a mistake in line ${lineCount(text.slice(0, position))}.` : '';
    throw new FeedRefusal(`It is not JSON.${line}`);
  }
}

/** The rows of an XML document. @throws FeedRefusal */
export function* readXml(text: string, place: RowsPlace): Generator<ParsedRow> {
  const { XMLParser, XMLValidator } = require('fast-xml-parser') as typeof import('fast-xml-parser');
  const content = tidied(text);
  const verdict = XMLValidator.validate(content);
  if (verdict !== true) {
    const removed = lineCount(text) - lineCount(content);
    throw new FeedRefusal(`It is not XML. Line ${verdict.err.line + removed}: ${verdict.err.msg}`);
  }
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    removeNSPrefix: true,
    processEntities: false,
    // Kept apart from decoded text: CDATA is literal.
    cdataPropName: '#cdata',
    tagValueProcessor: (_name, value) => decodeEntities(value),
  });
  let document: unknown;
  try {
    document = parser.parse(content);
  } catch {
    throw new FeedRefusal('It is not XML.');
  }
  yield* toRows(findRows(withNameKeys(withoutCdata(document)), place));
}

/** The offers in a web page's JSON-LD, at any depth. */
export function* readHtml(text: string): Generator<ParsedRow> {
  let line = 0;
  for (const script of linkedData(text)) {
    let document: unknown;
    try {
      document = parseJson(script);
    } catch {
      line += 1;
      yield { line, problem: 'It is not JSON' };
      continue;
    }
    for (const record of linkedOffers(document)) {
      line += 1;
      yield { line, record };
    }
  }
}

/** The texts of a page's scripts with JSON-LD. Parsers of HTML take too long for a page whose tags are nested deeply. */
function* linkedData(text: string): Generator<string> {
  const beginning = /<!--|<script\b([^<>]*)>/gi;
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    const end = found[1] === undefined ? /-->/g : /<\/script/gi;
    end.lastIndex = beginning.lastIndex;
    const until = end.exec(text)?.index ?? text.length;
    if (/\btype\s*=\s*["']?application\/ld\+json/i.test(found[1] ?? ''))
      yield text.slice(beginning.lastIndex, until);
    beginning.lastIndex = until;
  }
}

function lineCount(text: string): number {
  return text.split('\n').length;
}

const DOCTYPE = /<!DOCTYPE\s[^[>]*(\[[\s\S]*?\]\s*)?>/iy;
/** What has no end goes on to the end of the text: looking for it again from each beginning would take for ever. */
const BARE_AMPERSAND =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|&(?!(?:#\d+|#x[\da-f]+|[a-z][\w.-]*);)/gi;

/** The document without what careless programs write; what it removes is in front. @throws FeedRefusal */
function tidied(text: string): string {
  DOCTYPE.lastIndex = beginningOf(text);
  const doctype = DOCTYPE.exec(text);
  // They can expand without end; no feed needs them.
  if (doctype?.[1]?.includes('<!ENTITY'))
    throw new FeedRefusal('It defines entities of its own in its DOCTYPE, which are not read.');
  const body = doctype ? text.slice(doctype.index + doctype[0].length) : text.trimStart();
  return body.replace(BARE_AMPERSAND, (found) => (found === '&' ? '&amp;' : found));
}

/** Where the declaration, comments and spaces end that stand in front of the DOCTYPE or the root element. */
function beginningOf(text: string): number {
  const spaces = /\s*/y;
  let at = 0;
  for (;;) {
    spaces.lastIndex = at;
    at += spaces.exec(text)?.[0].length ?? 0;
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : null;
    const found = end === null ? -1 : text.indexOf(end, at + 2);
    if (end === null || found === -1) return at;
    at = found + end.length;
  }
}

function* toRows(rows: readonly unknown[] | null): Generator<ParsedRow> {
  if (!rows) throw new FeedRefusal('It has no list of offers where one was expected.');
  for (const [index, row] of rows.entries()) {
    yield isRecord(row)
      ? { line: index + 1, record: row }
      : { line: index + 1, problem: 'It is not a record with fields' };
  }
}

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the entities of XML itself; others are left for HTML readers. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal, hex, name) => {
      if (name) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
      const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/** Replaces elements with CDATA by their text. */
function withoutCdata(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCdata);
  if (!isRecord(value)) return value;
  const { '#cdata': cdata, ...rest } = value;
  const entries = Object.entries(rest).map(([name, item]) => [name, withoutCdata(item)] as const);
  if (cdata === undefined) return Object.fromEntries(entries);
  const text = `${rest['#text'] ?? ''}${Array.isArray(cdata) ? cdata.join('') : cdata}`;
  return entries.length === 0 ? text : { ...Object.fromEntries(entries), '#text': text };
}

/** Limits for the search through a page's data: number of nodes, and depth. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 12;

/** schema.org defines `discountCode` for orders; real pages put codes on offers too. */
const CODE_KEYS = ['discountcode', 'couponcode', 'promocode', 'vouchercode', 'code'];

function* linkedOffers(document: unknown) {
  const waiting = [{ value: document, depth: 0 }];
  for (let index = 0; index < waiting.length && index < MAX_NODES; index += 1) {
    const { value, depth } = waiting[index] ?? { value: null, depth: 0 };
    const isNested = typeof value === 'object' && value !== null;
    if (!isNested || depth > MAX_DEPTH) continue;
    const record = Array.isArray(value) ? null : withNameKeys(value);
    if (isRecord(record) && CODE_KEYS.some((key) => Object.hasOwn(record, key))) yield record;
    for (const inner of Object.values(value)) waiting.push({ value: inner, depth: depth + 1 });
  }
}
