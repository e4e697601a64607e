import { sql } from 'kysely';
import { type Cents, decimalToCents } from '#contract/base/money.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** What the reserve holds now. */
export async function readReserve(db: Database | Trx): Promise<Cents> {
  const { balance } = await db.selectFrom('guaranteeReserve').select('balance').executeTakeFirstOrThrow();
  return decimalToCents(balance);
}

/** Locks the reserve until the end of the transaction, after all other locks. @returns what it holds */
export async function lockReserve(trx: Trx): Promise<Cents> {
  const { balance } = await trx
    .selectFrom('guaranteeReserve')
    .select('balance')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return decimalToCents(balance);
}

/** What the reserve has laid out for a buyer's claims since an instant, less what came back. */
export async function coveredFor(db: Database | Trx, buyerId: number, since: Date): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select (100 * coalesce(sum(journal.amount), 0))::integer as cents
    from payment_transactions payment join ledger_journals journal on journal.payment_id = payment.id
    where payment.sender_id = ${buyerId} and journal.kind = 'cover' and journal.created_at > ${since}`.execute(
    db,
  );
  return Math.max(0, rows[0]?.cents ?? 0);
}

/** How many final purchases that count a buyer has, counted up to 2. */
export async function countFinalPurchases(db: Database | Trx, buyerId: number): Promise<number> {
  const found = await db
    .selectFrom('countedPayments')
    .select('id')
    .where('senderId', '=', buyerId)
    .where('status', 'in', ['releasing', 'completed'])
    .limit(2)
    .execute();
  return found.length;
}

/** Of these payments, those that count: for the others the reserve pays nothing. */
export async function listCovered(
  db: Database | Trx,
  paymentIds: readonly number[],
): Promise<ReadonlySet<number | null>> {
  const found = await db
    .selectFrom('countedPayments')
    .select('id')
    .where('id', '=', sql<number>`any(${paymentIds})`)
    .execute();
  return new Set(found.map(({ id }) => id));
}
