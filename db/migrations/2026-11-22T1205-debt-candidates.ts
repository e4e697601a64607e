import { type Kysely, sql } from 'kysely';

/** Finds the payments for which a seller may owe something without reading the whole ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index ledger_journals_debts on ledger_journals (payment_id)
      where kind in ('refund', 'loss') or sequence > 1`.execute(db);
}
