import { type CouponTable, type ReadTableInput, TABLE_ROWS_MAX } from '#contract/coupon-tables.ts';
import { seenText } from '#server/core/text.ts';
import { DELIMITERS, type Delimiter, readCsv } from '../feeds/csv.ts';
import { decidedOrder, ordersOf } from '../feeds/dates.ts';
import { textOf } from '../feeds/record.ts';
import { readTableRow } from './table-cells.ts';
import { type Column, guessedColumns, namedColumns, type Places } from './table-columns.ts';

/** More columns than this are a mistake. */
const WIDTH = 60;
/** The row with the names of the columns is one of the first. */
const HEAD_WITHIN = 5;

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads a table that somebody has typed, pasted or chosen as coupons. It stores nothing. */
export async function readTable({ text, dateOrder }: ReadTableInput): Promise<CouponTable> {
  const { lines, unread } = await linesOf(seenText(text));
  const head = lines.slice(0, HEAD_WITHIN).findIndex(({ cells }) => namedColumns(cells));
  const named = namedColumns(lines[head]?.cells ?? []);
  const body = named ? lines.slice(head + 1) : lines;
  const places = named?.places ?? guessedColumns(body.map(({ cells }) => cells));
  const read = body.slice(0, TABLE_ROWS_MAX);
  const decided = decidedOrder(read.map(({ cells }) => cellAt(cells, places, 'end')));
  const reader = { order: decided ?? dateOrder, isOrderGuessed: decided === null };
  const rows = read.map(({ line, cells }) =>
    readTableRow(line, (column) => cellAt(cells, places, column), reader),
  );
  const isGuessed = read.some(({ cells }) => ordersOf(cellAt(cells, places, 'end'))?.length === 2);
  return {
    rows,
    unread: unread.slice(0, TABLE_ROWS_MAX),
    unusedColumns: [...(named?.unused ?? [])],
    rowsLeft: body.length - read.length,
    guessedOrder: decided === null && isGuessed ? dateOrder : null,
  };
}

function cellAt(cells: readonly string[], places: Places, column: Column): string {
  const place = places.get(column);
  return place === undefined ? '' : (cells[place] ?? '').trim();
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
  const unread: { line: number; problem: string }[] = [];
  for await (const row of readCsv(pieces(), delimiter)) {
    const line = row.line - 1;
    if ('problem' in row) {
      unread.push({ line, problem: row.problem });
      continue;
    }
    const cells = names.map((name) => textOf(row.record[name]));
    const width = cells.findLastIndex((cell) => cell !== '') + 1;
    if (width > 0) lines.push({ line, cells: cells.slice(0, width) });
  }
  return { lines, unread };
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
