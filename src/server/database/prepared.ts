import type { CompiledQuery } from 'kysely';
import type { Database, Trx } from './client.ts';
import type { NamedQuery } from './driver.ts';

/**
 * Runs a query as a named statement of pg, so that each connection plans it once. It is for what nearly every request
 * asks, where planning is most of the work, and whose rows are found in the same way whatever the values are.
 * @param name always for the same SQL: pg refuses another text under a name it knows
 */
export async function prepared<Row>(
  db: Database | Trx,
  name: string,
  query: { compile(db: Database | Trx): CompiledQuery<Row> },
): Promise<Row[]> {
  const named: NamedQuery<Row> = { ...query.compile(db), name };
  return (await db.executeQuery<Row>(named)).rows;
}
