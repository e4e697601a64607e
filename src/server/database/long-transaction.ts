import { sql } from 'kysely';
import { type Database, inTransaction, type Trx } from './client.ts';
import { withStatementLimit } from './time-budget.ts';

/** Runs a job's work in one transaction whose statements may take longer than those of a call. */
export function inLongTransaction<Result>(
  db: Database,
  seconds: number,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  // A second later than the server, whose word is clearer.
  return withStatementLimit((seconds + 1) * 1_000, () =>
    inTransaction(db, async (trx) => {
      await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(trx);
      return work(trx);
    }),
  );
}
