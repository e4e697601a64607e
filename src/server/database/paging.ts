import { t } from '@lingui/core/macro';
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { fieldError } from '#server/core/errors.ts';
import type { Database, Trx } from './client.ts';

/** Which page of a list to read, and the number of rows per page. */
export interface Paging {
  /** A page number from 1, or a cursor. */
  readonly page: number | string;
  readonly limit: number;
}

/** The SQL types of a list's keys, with what a cursor may hold for each. PostgreSQL's dates start with the year 1. */
const KEY_TYPES = {
  integer: z.int().min(-2_147_483_647).max(2_147_483_647),
  numeric: z.number().min(-1e8).max(1e8),
  text: z.string().max(200),
  timestamptz: z.union([
    z.literal('infinity'),
    z.iso.datetime({ offset: true }).refine((text) => text >= '0001'),
  ]),
};

export type KeyType = keyof typeof KEY_TYPES;

const CURSOR = z.tuple([z.string(), z.enum(['after', 'before'])], z.union([z.string(), z.number()]));

/** The order of a list: keys in one direction, of which the last makes a row unique. */
export interface ListOrder {
  /** The name of the list in its cursors: other lists refuse them. */
  readonly name: string;
  readonly direction: 'asc' | 'desc';
  readonly by: readonly (readonly [key: string | RawBuilder<unknown>, type: KeyType])[];
}

interface Cursor {
  /** The keys of a row. */
  readonly keys: readonly (string | number)[];
  /** Whether the page ends before this row; otherwise it begins after it. */
  readonly isBackward: boolean;
}

/** A row with its keys as JSON, which `finish` reads. */
interface PlacedRow {
  readonly rowKeys: string;
}

function encode(name: string, { keys, isBackward }: Cursor): string {
  return Buffer.from(JSON.stringify([name, isBackward ? 'before' : 'after', ...keys])).toString('base64url');
}

/** Reads a cursor of `encode`; undefined if the text is invalid or belongs to another list. */
function decode({ name, by }: ListOrder, text: string): Cursor | undefined {
  try {
    const [list, side, ...keys] = CURSOR.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    const isOfList = list === name && keys.length === by.length;
    const hasTypes = by.every(([, type], index) => KEY_TYPES[type].safeParse(keys[index]).success);
    return isOfList && hasTypes ? { keys, isBackward: side === 'before' } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is a cursor of this list. */
export function isCursorOf(order: ListOrder, text: string): boolean {
  return decode(order, text) !== undefined;
}

/**
 * Opens a page of a list and builds the query for its rows. Page numbers end where the count ends, so that no page gets
 * expensive. A cursor reaches any row at the same cost.
 * @param cap the number of rows that are counted
 * @throws AppError bad_input on a page number beyond `cap`, and on a text that is no cursor of this list
 */
export function openPage({ page, limit }: Paging, order: ListOrder, cap: number) {
  const cursor = typeof page === 'number' ? null : decode(order, page);
  if (cursor === undefined)
    throw fieldError('bad_input', 'page', t`Is not a page of this list in this order`);
  const offset = typeof page === 'number' ? (page - 1) * limit : 0;
  if (offset > 0 && offset >= cap) {
    const text = t`Page numbers go no further than ${cap} items. Continue with the cursor of the previous page.`;
    throw fieldError('bad_input', 'page', text);
  }
  const isBackward = cursor?.isBackward ?? false;
  const direction: 'asc' | 'desc' = isBackward === (order.direction === 'asc') ? 'desc' : 'asc';
  const beyond = sql.raw(direction === 'desc' ? '<' : '>');
  const values = cursor?.keys.map((value, index) => {
    const type = order.by[index]?.[1] ?? 'integer';
    return sql`cast(${value} as ${sql.raw(type)})`;
  });
  const columnsOf = (table?: string) =>
    order.by.map(([key]) => (typeof key === 'string' ? sql.ref(table ? `${table}.${key}` : key) : key));
  const rowKeys = (table?: string) => sql<string>`json_build_array(${sql.join(columnsOf(table))})::text`;

  /** Orders rows that were chosen before. */
  const sort = <Tables, Name extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Name, Row>,
    table?: string,
  ) => columnsOf(table).reduce((sorted, column) => sorted.orderBy(column, direction), query);

  /** The rows up to the end of the page: of one part, where a list is the union of several. */
  const upTo = <Tables, Name extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Name, Row>,
    table?: string,
  ) => {
    const found = values
      ? query.where(sql<boolean>`(${sql.join(columnsOf(table))}) ${beyond} (${sql.join(values)})`)
      : query;
    return sort(found, table).limit(offset + limit + 1);
  };

  return {
    direction,
    /** The keys of the row that a cursor names, as SQL; undefined for a page by number. */
    values,
    beyond,
    /** The number of rows from the beginning, or from the row of the cursor, to one more than the page has. */
    reach: offset + limit + 1,
    offset,
    limit,
    rowKeys,
    sort,
    upTo,
    /** The rows of the page and one more, as `finish` expects them. */
    select: <Tables, Name extends keyof Tables, Row>(
      query: SelectQueryBuilder<Tables, Name, Row>,
      table?: string,
    ) =>
      upTo(query, table)
        .limit(limit + 1)
        .offset(offset)
        .select(rowKeys(table).as('rowKeys')),
    /** Takes the rows as they were read, cuts off the additional one and adds the cursors of the neighbouring pages. */
    finish<Row extends PlacedRow>(read: readonly Row[]) {
      const shown = read.slice(0, limit);
      if (isBackward) shown.reverse();
      const hasMore = read.length > limit;
      const at = (row: Row | undefined, toBefore: boolean) =>
        row ? encode(order.name, { keys: JSON.parse(row.rowKeys), isBackward: toBefore }) : null;
      const cursors = {
        nextCursor: isBackward || hasMore ? at(shown.at(-1), false) : null,
        previousCursor: (isBackward ? hasMore : cursor !== null || offset > 0) ? at(shown[0], true) : null,
      };
      const rows = shown.map(({ rowKeys: _, ...row }) => row);
      return { rows, ...cursors };
    },
  };
}

export type ListPage = ReturnType<typeof openPage>;

/** The total of a list whose rows were counted up to one more than `cap`. */
export function totalOf(found: number, cap: number): { total: number; totalIsCapped: boolean } {
  return { total: Math.min(found, cap), totalIsCapped: found > cap };
}

/** The number of rows of a query, counted only up to `cap`, so that it stays cheap with a million rows. */
export async function cappedTotal(
  db: Database | Trx,
  rows: Expression<unknown>,
  cap: number,
): Promise<{ total: number; totalIsCapped: boolean }> {
  const counted = sql<{ found: number }>`
    select count(*) as found from (select 1 from ${rows} as matching limit ${cap + 1}) as counted`;
  return totalOf((await counted.execute(db)).rows[0]?.found ?? 0, cap);
}
