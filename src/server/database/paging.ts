import { type Expression, sql } from 'kysely';
import { fieldError } from '#server/core/errors.ts';
import type { Database, Trx } from './client.ts';

/** A page number, from 1, and the number of rows per page. */
export interface Paging {
  readonly page: number;
  readonly limit: number;
}

/**
 * The number of rows before a page. Pages end where the count ends, so that no page gets expensive.
 * @throws AppError bad_input on `page` beyond `cap` rows
 */
export function offsetOf({ page, limit }: Paging, cap: number): number {
  const offset = (page - 1) * limit;
  if (offset > 0 && offset >= cap) {
    throw fieldError('bad_input', 'page', `Pages go no further than ${cap} items. Narrow the list instead.`);
  }
  return offset;
}

/** The number of rows of a query, counted only up to `cap`, so that it stays cheap with a million rows. */
export async function cappedTotal(
  db: Database | Trx,
  rows: Expression<unknown>,
  cap: number,
): Promise<{ total: number; totalIsCapped: boolean }> {
  const counted = sql<{ found: number }>`
    select count(*) as found from (select 1 from ${rows} as matching limit ${cap + 1}) as counted`;
  const found = (await counted.execute(db)).rows[0]?.found ?? 0;
  return { total: Math.min(found, cap), totalIsCapped: found > cap };
}
