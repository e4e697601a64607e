import { type Expression, sql } from 'kysely';
import { fieldError } from '#server/core/errors.ts';
import type { Database, Trx } from './client.ts';

/** A page by number, from 1, and how many rows it has. */
export interface Paging {
  readonly page: number;
  readonly limit: number;
}

/**
 * How many rows come before a page. Page numbers reach no further than rows are counted, so that no page costs
 * more than the first few.
 * @throws AppError bad_input on `page` beyond `cap` rows
 */
export function offsetOf({ page, limit }: Paging, cap: number): number {
  const offset = (page - 1) * limit;
  if (offset > 0 && offset >= cap) {
    throw fieldError('bad_input', 'page', `Pages go no further than ${cap} items. Narrow the list instead.`);
  }
  return offset;
}

/** How many rows a query finds, counted up to `cap`: a count that costs the same at a million rows. */
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
