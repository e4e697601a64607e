import { t } from '@lingui/core/macro';
import {
  type CouponTable,
  type DateOrder,
  type ReadTableInput,
  TABLE_ROWS_MAX,
} from '#contract/coupons/coupon-tables.ts';
import type { CellReason, LeftOut } from '#contract/coupons/left-out.ts';
import { seenText } from '#server/core/text.ts';
import { DELIMITERS, type Delimiter, readCsv } from '../feeds/csv.ts';
import { decidedOrder, ordersOf } from '../feeds/dates.ts';
import { textOf } from '../feeds/record.ts';
import type { Column } from './column-names.ts';
import { type Cell, cellOfText, columnLetters, type Line, WIDTH } from './lines.ts';
import { dayTextOf, readTableRow } from './table-cells.ts';
import { guessedColumns, headIn, namedAgain, type Places } from './table-columns.ts';
import { problemOf } from './table-rows.ts';

/** What is left out is listed up to so many times each; a table that says more is not meant for us. */
const LISTED = 20;

const NO_CELL: Cell = { text: '' };

/** Reads a table that somebody has typed, pasted or chosen as coupons. It stores nothing. */
export async function readTable({ text, dateOrder }: ReadTableInput): Promise<CouponTable> {
  const { lines, broken } = await linesOf(seenText(text));
  return readLines(lines, dateOrder, broken);
}

/** A row that may be a coupon, and its columns. */
interface Row extends Line {
  readonly places: Places;
}

/**
 * Reads the rows of a table as coupons.
 * @param leftOut what is known not to be among the rows
 */
export function readLines(
  lines: readonly Line[],
  dateOrder: DateOrder,
  leftOut: readonly LeftOut[] = [],
): CouponTable {
  const { rows, refused, unused } = rowsOf(lines);
  const read = rows.slice(0, TABLE_ROWS_MAX);
  const decided = decidedOrder(read.map((row) => dayTextOf(cellsOf(row)('end'))));
  const reader = { order: decided ?? dateOrder, isOrderGuessed: decided === null };
  const isGuessed = read.some((row) => ordersOf(dayTextOf(cellsOf(row)('end')))?.length === 2);
  const behind = leftOut.reduce((count, one) => count + (one.what === 'rows' ? one.count : 0), 0);
  const count = rows.length - read.length + behind;
  return {
    rows: read.map((row) => readTableRow(row.line, cellsOf(row), reader)),
    leftOut: [
      ...(count > 0 ? [{ what: 'rows', count } as const] : []),
      ...leftOut.filter(({ what }) => what !== 'rows'),
      ...(unused.length > 0 ? [{ what: 'columns', names: unused.slice(0, LISTED) } as const] : []),
      ...cellsWithout(read),
      ...refused.slice(0, TABLE_ROWS_MAX),
    ],
    guessedOrder: decided === null && isGuessed ? dateOrder : null,
  };
}

/** The rows below the names of columns, and those that are no coupons. */
function rowsOf(lines: readonly Line[]) {
  const head = headIn(lines);
  const body = head ? lines.slice(head.index + 1) : lines;
  const unused = [...(head?.unused ?? [])];
  const rows: Row[] = [];
  const refused: LeftOut[] = [];
  const refuse = ({ line }: Line, problem: string) => refused.push({ what: 'line', line, problem });
  // A row of one cell is a title.
  for (const line of lines.slice(0, head?.index ?? 0))
    if (line.cells.filter(({ text }) => text !== '').length > 1)
      refuse(line, t`It stands above the names of the columns`);
  let places = head?.places ?? guessedColumns(body.map(({ cells }) => cells.map(({ text }) => text)));
  for (const line of body) {
    const again = head && namedAgain(line.cells);
    if (again) {
      places = again.places;
      unused.push(...again.unused.filter((name) => !unused.includes(name)));
      continue;
    }
    const problem = problemOf(cellsOf({ ...line, places }), places);
    if (problem === null) rows.push({ ...line, places });
    else refuse(line, problem);
  }
  return { rows, refused, unused };
}

const cellsOf =
  ({ cells, places }: Row) =>
  (column: Column): Cell =>
    cells[places.get(column) ?? -1] ?? NO_CELL;

/** The cells without a value of their own in columns that are read. */
function cellsWithout(rows: readonly Row[]): LeftOut[] {
  const names = new Map<CellReason, string[]>();
  for (const { line, cells, places } of rows)
    for (const place of [...places.values()].sort((one, other) => one - other)) {
      const why = cells[place]?.lacks;
      if (why) names.set(why, [...(names.get(why) ?? []), `${columnLetters(place)}${line}`]);
    }
  return [...names].map(([why, found]) => ({ what: 'cells', why, names: found.slice(0, LISTED) }));
}

async function linesOf(text: string) {
  const [, excelDelimiter, body = ''] =
    /^(?:"?sep=(.)"?\r?\n)?([\s\S]*)$/i.exec(text.replace(/^\ufeff/, '')) ?? [];
  const delimiter = DELIMITERS.find((each) => each === excelDelimiter) ?? delimiterOf(body);
  const names = Array.from({ length: WIDTH }, (_, place) => `c${place}`);
  // The columns are found later: the reader of feeds takes their places for their names.
  async function* pieces() {
    yield `${names.join(delimiter)}\n${body.replace(/\r\n?/g, '\n')}`;
  }
  const lines: Line[] = [];
  const broken: LeftOut[] = [];
  for await (const row of readCsv(pieces(), delimiter)) {
    const line = row.line - 1;
    if ('problem' in row) {
      if (broken.length < TABLE_ROWS_MAX) broken.push({ what: 'line', line, problem: row.problem });
      continue;
    }
    const cells = names.map((name) => textOf(row.record[name]));
    const width = cells.findLastIndex((cell) => cell !== '') + 1;
    if (width > 0) lines.push({ line, cells: cells.slice(0, width).map(cellOfText) });
  }
  return { lines, broken };
}

/** What most lines have about as often; a tab where each line is one cell. */
function delimiterOf(text: string): Delimiter {
  const lines = text
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const counted = (['\t', ';', '|', ','] as const).map((delimiter) => ({
    delimiter,
    share: lines.filter((line) => line.includes(delimiter)).length / Math.max(1, lines.length),
  }));
  return counted.find(({ share }) => share > 0.6)?.delimiter ?? '\t';
}
