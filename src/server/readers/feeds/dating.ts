import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import { type DateOrder, mayBeginWithYear, ordersOf, readDate, readMonthEnd } from './dates.ts';
import { FeedRefusal, type FeedRow } from './feeds.ts';

/** An offer whose dates are not read yet: how they are depends on the other rows. */
export interface UndatedOffer {
  readonly offer: Omit<FeedOffer, 'startDate' | 'expiryDate' | 'endTime'>;
  readonly start: string;
  readonly end: string;
}

export type UndatedRow =
  | ({ readonly line: number } & UndatedOffer)
  | { readonly line: number; readonly problem: string };

/**
 * Reads the dates of all rows in one order. From the first date on that has two readings, rows are held back until the
 * last one has been looked at; where all dates have one reading each, nothing is held back.
 * @param order of the settings; null: the rows decide
 * @throws FeedRefusal if they do not
 */
export async function* decideDates(
  rows: AsyncIterable<UndatedRow>,
  order: DateOrder | null,
): AsyncGenerator<FeedRow> {
  const evidence = createEvidence();
  const held = holdRows();
  for await (const row of rows) {
    if (order === null) evidence.look(row);
    if (evidence.isOpen()) await held.push(row);
    else yield dated(row, order);
  }
  const decided = evidence.isOpen() ? evidence.decide() : order;
  for await (const row of held.all()) yield dated(row, decided);
}

/** The offer of a row with its dates, or the problem with one of them. */
function dated(row: UndatedRow, order: DateOrder | null): FeedRow {
  if ('problem' in row) return row;
  const { line, offer } = row;
  const { day: startDate } = readDate(row.start, order);
  if (startDate === 'unreadable') return { line, problem: 'Its first day is not a date' };
  const { day, time: endTime } = readDate(row.end, order);
  if (mayBeginWithYear(row.end)) return { line, problem: 'Its last day may begin with its year' };
  const expiryDate = day === 'unreadable' ? lastOfMonth(row.end) : day;
  if (expiryDate === 'unreadable') return { line, problem: 'Its last day is not a date' };
  return { line, offer: { ...offer, startDate, expiryDate, endTime } };
}

function lastOfMonth(text: string): string {
  const end = readMonthEnd(text);
  return end?.isOnly ? end.day : 'unreadable';
}

/** A date, and where it is. */
interface Example {
  readonly text: string;
  readonly line: number;
}

/** What the dates say about the order of day and month. */
function createEvidence() {
  let dayFirst: Example | null = null;
  let monthFirst: Example | null = null;
  /** The first date with two readings. */
  let open: Example | null = null;
  let isDotted = true;

  return { look, isOpen: () => open !== null, decide };

  function look(row: UndatedRow): void {
    if ('problem' in row) return;
    for (const text of [row.start, row.end]) {
      const orders = ordersOf(text);
      if (!orders) continue;
      const example = { text, line: row.line };
      if (orders.length === 2) {
        open ??= example;
        if (!text.includes('.')) isDotted = false;
      } else if (orders[0] === 'dayFirst') dayFirst ??= example;
      else monthFirst ??= example;
    }
  }

  /** @throws FeedRefusal */
  function decide(): DateOrder {
    if (dayFirst && !monthFirst) return 'dayFirst';
    if (monthFirst && !dayFirst) return 'monthFirst';
    // Nobody writes the month first with dots.
    if (!dayFirst && isDotted) return 'dayFirst';
    throw new FeedRefusal(
      `${readings(open)}${
        dayFirst && monthFirst
          ? `, and its other dates disagree: ${place(dayFirst)} has the day first, ${place(monthFirst)} the month.`
          : ', and no other date decides.'
      } Set isDayFirst, or give --dates day-first or month-first.`,
    );
  }
}

function readings(example: Example | null): string {
  const { text = '', line = 0 } = example ?? {};
  const [dayFirst, monthFirst] = (['dayFirst', 'monthFirst'] as const).map(
    (order) => readDate(text, order).day,
  );
  return `A date has two readings: ${place({ text, line })} is ${dayFirst} with the day first and ${monthFirst} with the month first`;
}

function place({ text, line }: Example): string {
  return `${text} (line ${line})`;
}

/** How many rows are packed together. */
const PACK = 500;
const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Keeps rows in memory, packed: a feed may have a million. */
function holdRows() {
  const packs: Buffer[] = [];
  let waiting: UndatedRow[] = [];
  return {
    async push(row: UndatedRow): Promise<void> {
      if (waiting.push(row) < PACK) return;
      packs.push(await pack(JSON.stringify(waiting)));
      waiting = [];
    },
    async *all(): AsyncGenerator<UndatedRow> {
      for (const packed of packs) yield* JSON.parse((await unpack(packed)).toString()) as UndatedRow[];
      yield* waiting;
    },
  };
}
