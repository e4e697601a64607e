import { createRequire } from 'node:module';
import { FeedRefusal } from './feeds.ts';
import { nameKey, type ParsedRow } from './record.ts';
import { type Line, readLines } from './text.ts';

/** Loads packages that only feeds need with the first feed. */
const require = createRequire(import.meta.url);

/** Limit for one row, in characters and lines: a longer one comes from a quote that was never closed. */
const MAX_ROW_LENGTH = 64_000;
const MAX_ROW_LINES = 200;
/** Rows parsed at once. */
const GROUP = 200;

interface Row {
  readonly line: number;
  readonly text: string;
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * The rows of a CSV or TSV text whose first line names the columns. Rows are separated before they are parsed, so that a
 * broken row costs only itself: when a quote is not closed, only its line is dropped.
 */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  delimiter: Delimiter | null,
): AsyncGenerator<ParsedRow> {
  const lines = readLines(pieces, MAX_ROW_LENGTH);
  let first = await nextLine(lines);
  // A line of Excel's own, which names the delimiter.
  const named = /^"?sep=(.)"?$/i.exec(first?.trim() ?? '')?.[1];
  if (named !== undefined) first = await nextLine(lines);
  if (first === null) return;
  const separator = delimiter ?? DELIMITERS.find((each) => each === named) ?? likeliestDelimiter(first);
  const header = headerOf(first, separator);
  let group: Row[] = [];
  for await (const row of readRows(lines, separator)) {
    if ('problem' in row) {
      yield* parseGroup(group, header, separator);
      group = [];
      yield row;
    } else if (group.push(row) === GROUP) {
      yield* parseGroup(group, header, separator);
      group = [];
    }
  }
  yield* parseGroup(group, header, separator);
}

/** The first line that is not blank, or null. */
async function nextLine(lines: AsyncGenerator<Line>): Promise<string | null> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (next.value.text === null) throw new FeedRefusal('Its first line is too long to name columns.');
    if (next.value.text.trim() !== '') return next.value.text;
  }
  return null;
}

function likeliestDelimiter(header: string): Delimiter {
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function headerOf(line: string, delimiter: Delimiter): readonly string[] {
  const header = parseRows(line, delimiter)?.[0]?.map(nameKey);
  if (!header?.some(Boolean)) throw new FeedRefusal('Its first line does not name columns.');
  return header;
}

/** The cells of each row, or null if the text is not valid CSV. */
function parseRows(text: string, delimiter: Delimiter): string[][] | null {
  const { parse } = require('csv-parse/sync') as typeof import('csv-parse/sync');
  try {
    return parse(text, { delimiter, relax_column_count: true, relax_quotes: true, record_delimiter: '\n' });
  } catch {
    return null;
  }
}

/** Parses all rows at once, which is cheap; if that fails, one by one. */
function* parseGroup(rows: readonly Row[], header: readonly string[], delimiter: Delimiter) {
  if (rows.length === 0) return;
  const together = parseRows(rows.map(({ text }) => text).join('\n'), delimiter);
  const isWhole = together?.length === rows.length;
  for (const [index, { line, text }] of rows.entries()) {
    const cells = isWhole ? together[index] : parseRows(text, delimiter)?.[0];
    yield toParsedRow(line, cells, header);
  }
}

function toParsedRow(
  line: number,
  cells: readonly string[] | undefined,
  header: readonly string[],
): ParsedRow {
  if (!cells) return { line, problem: 'It is not written as CSV' };
  // An extra cell shifts all that follow: a code would be read out of a title.
  if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
    return { line, problem: `It has ${cells.length} columns where ${header.length} are named` };
  const record: Record<string, string> = {};
  for (const [index, name] of header.entries()) {
    // The first of several columns with the same name counts.
    if (name !== '' && !Object.hasOwn(record, name)) record[name] = withoutFormula(cells[index] ?? '');
  }
  return { line, record };
}

/** The text of ="0042", as programs write what Excel shall not take for a number. */
function withoutFormula(cell: string): string {
  const text = /^\s*=\s*"((?:[^"]|"")*)"\s*$/.exec(cell)?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/** Joins lines to rows, where quotes contain line ends. */
async function* readRows(
  lines: AsyncGenerator<Line>,
  delimiter: Delimiter,
): AsyncGenerator<Row | { readonly line: number; readonly problem: string }> {
  /** Lines that looked like the rest of a row and were not. */
  const returned: Line[] = [];
  const next = async (): Promise<Line | undefined> => {
    const line = returned.shift();
    if (line) return line;
    const read = await lines.next();
    return read.done ? undefined : read.value;
  };
  for (let line = await next(); line; line = await next()) {
    if (line.text === null) {
      yield { line: line.number, problem: 'It is too long' };
      continue;
    }
    if (line.text.trim() === '') continue;
    const taken: Line[] = [];
    let text = line.text;
    let state = scan(text, delimiter, 'outside');
    while (state === 'quoted' && taken.length < MAX_ROW_LINES) {
      const more = await next();
      if (!more) break;
      taken.push(more);
      if (more.text === null || text.length + more.text.length > MAX_ROW_LENGTH) break;
      text += `\n${more.text}`;
      state = scan(more.text, delimiter, 'quoted');
    }
    if (state === 'outside') {
      yield { line: line.number, text };
    } else {
      returned.unshift(...taken);
      yield { line: line.number, problem: 'Its quotes do not match' };
    }
  }
}

type State = 'outside' | 'quoted' | 'broken';

/** The state at the end of a line: outside of quotes, inside, or after a quote that closes in the middle of a cell. */
function scan(line: string, delimiter: Delimiter, before: 'outside' | 'quoted'): State {
  let isQuoted = before === 'quoted';
  for (let at = 0; at <= line.length; at += 1) {
    if (isQuoted) {
      at = line.indexOf('"', at);
      if (at === -1) return 'quoted';
      if (line[at + 1] === '"') {
        at += 1;
        continue;
      }
      if (at + 1 < line.length && line[at + 1] !== delimiter) return 'broken';
      isQuoted = false;
      at += 1;
    } else if (line[at] === '"') {
      isQuoted = true;
    } else {
      // A quote in the middle of an unquoted cell is an ordinary character.
      at = line.indexOf(delimiter, at);
      if (at === -1) return 'outside';
    }
  }
  return isQuoted ? 'quoted' : 'outside';
}
