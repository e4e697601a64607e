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

/** The sides of a sale: its buyer, and its seller. */
const SIDES = { sender: sql.ref('payment.senderId'), receiver: sql.ref('payment.receiverId') };

/**
 * What the reserve has laid out since an instant, less what came back, for the claims of these buyers (`sender`), or for
 * claims against these sellers (`receiver`), by person.
 */
export async function coveredFor(
  db: Database | Trx,
  side: keyof typeof SIDES,
  userIds: readonly number[],
  since: Date,
): Promise<ReadonlyMap<number, Cents>> {
  const { rows } = await sql<{ userId: number; cents: Cents }>`
    select ${SIDES[side]} as user_id, greatest(0, 100 * sum(journal.amount))::integer as cents
    from payment_transactions payment join ledger_journals journal on journal.payment_id = payment.id
    where ${SIDES[side]} = any(${userIds}::integer[]) and journal.kind = 'cover' and journal.created_at > ${since}
    group by 1`.execute(db);
  return new Map(rows.map(({ userId, cents }) => [userId, cents]));
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

/** Of these payments, those that count and whose buyer let the hold pass: for the others the reserve pays nothing. */
export async function listCovered(
  db: Database | Trx,
  paymentIds: readonly number[],
): Promise<ReadonlySet<number | null>> {
  const found = await db
    .selectFrom('countedPayments as counted')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'counted.id')
    .select('counted.id')
    .where('counted.id', '=', sql<number>`any(${paymentIds})`)
    .where('payment.confirmedAt', 'is', null)
    .execute();
  return new Set(found.map(({ id }) => id));
}
