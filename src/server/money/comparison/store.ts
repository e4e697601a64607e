import { sql } from 'kysely';
import { type Cents, decimalToCents, signedDecimal } from '#contract/base/money.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { MovementKind } from '#server/providers/movements.ts';

/** Where our books and a provider's differ. Amounts are cents. */
export interface Difference {
  readonly provider: PaymentProviderName;
  /** The payment's public id and the kind, or the provider's transaction where we know no such payment. */
  readonly ref: string;
  readonly paymentId: number | null;
  readonly kind: MovementKind;
  readonly ours: Cents;
  readonly theirs: Cents;
}

/**
 * Stores a difference once. One that was closed, or has other amounts than when a person handled it, is open again.
 * @returns whether it is open, and not handled
 */
export async function putDifference(trx: Trx, difference: Difference, at: Date): Promise<boolean> {
  const { ours, theirs, ...columns } = difference;
  const same = sql`reconciliation_differences.closed_at is null
    and reconciliation_differences.ours = excluded.ours and reconciliation_differences.theirs = excluded.theirs`;
  const kept = <Type>(column: string) =>
    sql<Type | null>`case when ${same} then reconciliation_differences.${sql.ref(column)} end`;
  const { handledAt } = await trx
    .insertInto('reconciliationDifferences')
    .values({ ...columns, ours: signedDecimal(ours), theirs: signedDecimal(theirs), foundAt: at })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'ref']).doUpdateSet(({ ref }) => ({
        ours: ref('excluded.ours'),
        theirs: ref('excluded.theirs'),
        foundAt: sql<Date>`case when ${same} then reconciliation_differences.found_at else excluded.found_at end`,
        closedAt: null,
        handledAt: kept<Date>('handled_at'),
        handledBy: kept<number>('handled_by'),
      })),
    )
    .returning('handledAt')
    .executeTakeFirstOrThrow();
  return handledAt === null;
}

/** Closes what a comparison of these payments, or of these transactions, has not found again. @returns the number */
export async function closeGone(
  trx: Trx,
  given: {
    provider: PaymentProviderName;
    paymentIds: readonly number[];
    /** Transactions whose payment is known by now. */
    refs: readonly string[];
    found: readonly string[];
    at: Date;
  },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reconciliationDifferences')
    .set({ closedAt: given.at })
    .where('provider', '=', given.provider)
    .where('closedAt', 'is', null)
    .where(({ eb, or }) =>
      or([
        eb('paymentId', '=', sql<number>`any(${given.paymentIds})`),
        eb('ref', '=', sql<string>`any(${given.refs})`),
      ]),
    )
    .where('ref', '<>', sql<string>`all(${given.found})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

const openOnes = (db: Database) =>
  db.selectFrom('reconciliationDifferences').where('closedAt', 'is', null).where('handledAt', 'is', null);

/** The payments with an open difference. */
export async function listDifferingPayments(db: Database, provider: PaymentProviderName): Promise<number[]> {
  const rows = await openOnes(db)
    .select('paymentId')
    .distinct()
    .where('provider', '=', provider)
    .where('paymentId', 'is not', null)
    .$narrowType<{ paymentId: number }>()
    .execute();
  return rows.map(({ paymentId }) => paymentId);
}

/** How many differences nobody has handled, by provider. */
export async function countOpenDifferences(db: Database) {
  return openOnes(db)
    .select(({ fn }) => ['provider', fn.countAll<number>().as('count')])
    .groupBy('provider')
    .execute();
}

/** A person has looked at an open difference. @returns false if it is not open */
export async function markHandled(
  trx: Trx,
  given: { id: number; by: number; note: string | null; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('reconciliationDifferences')
    .set({ handledAt: given.at, handledBy: given.by, note: given.note })
    .where('id', '=', given.id)
    .where('closedAt', 'is', null)
    .where('handledAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A payment as a comparison needs it. */
export interface ComparedPayment {
  readonly id: number;
  readonly publicId: string;
  readonly provider: PaymentProviderName;
  readonly ref: string | null;
  readonly chargeRef: string | null;
  readonly payoutRef: string | null;
  readonly receiverAccount: string;
  readonly createdAt: Date;
}

function selectCompared(db: Database, provider: PaymentProviderName) {
  return db
    .selectFrom('paymentTransactions')
    .select(['id', 'publicId', 'receiverAccount', 'createdAt'])
    .select(({ fn, val }) => [
      val(provider).as('provider'),
      fn.coalesce('stripePaymentIntentId', 'paypalOrderId').as('ref'),
      fn.coalesce('stripeChargeId', 'paypalCaptureId').as('chargeRef'),
      fn.coalesce('stripeTransferId', 'paypalPayoutId').as('payoutRef'),
    ])
    .$narrowType<{ provider: PaymentProviderName }>()
    .where('provider', '=', provider);
}

/** The payments with one of these public ids, charges or captures. */
export async function findNamedPayments(
  db: Database,
  provider: PaymentProviderName,
  named: { publicIds: readonly string[]; chargeRefs: readonly string[] },
): Promise<ComparedPayment[]> {
  const charge = provider === 'stripe' ? 'stripeChargeId' : 'paypalCaptureId';
  return selectCompared(db, provider)
    .where(({ eb, or }) =>
      or([
        eb('publicId', '=', sql<string>`any(${named.publicIds}::uuid[])`),
        eb(charge, '=', sql<string>`any(${named.chargeRefs})`),
      ]),
    )
    .execute();
}

export async function findPaymentsById(
  db: Database,
  provider: PaymentProviderName,
  ids: readonly number[],
): Promise<ComparedPayment[]> {
  return selectCompared(db, provider).where('id', '=', sql<number>`any(${ids})`).execute();
}

/** The sellers' accounts of the payments that were made since then. */
export async function listReceivers(
  db: Database,
  provider: PaymentProviderName,
  since: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('paymentTransactions')
    .select('receiverAccount')
    .distinct()
    .where('provider', '=', provider)
    .where('paidAt', '>=', since)
    .execute();
  return rows.map(({ receiverAccount }) => receiverAccount);
}

/** What our ledger has of a payment: cents by kind, and when something was last booked. */
export interface BookedKind {
  readonly paymentId: number;
  readonly kind: MovementKind;
  readonly amount: Cents;
  readonly lastAt: Date;
}

/** The sums of our journals by payment and kind: of a time, or of some payments from their beginning. */
export async function sumBooked(
  db: Database,
  given: { provider: PaymentProviderName; kinds: readonly MovementKind[] } & (
    | { from: Date; to: Date }
    | { paymentIds: readonly number[] }
  ),
): Promise<BookedKind[]> {
  const { provider, kinds } = given;
  const rows = await db
    .selectFrom('ledgerJournals as journal')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'journal.paymentId')
    .select(({ fn }) => [
      'journal.paymentId',
      'journal.kind',
      fn.sum<string>('journal.amount').as('amount'),
      fn.max('journal.createdAt').as('lastAt'),
    ])
    .where('payment.provider', '=', provider)
    .where('journal.kind', 'in', kinds)
    .where((where) =>
      'paymentIds' in given
        ? where('journal.paymentId', '=', sql<number>`any(${given.paymentIds})`)
        : where.and([
            where('journal.createdAt', '>=', given.from),
            where('journal.createdAt', '<', given.to),
          ]),
    )
    .groupBy(['journal.paymentId', 'journal.kind'])
    .$narrowType<{ kind: MovementKind; paymentId: number }>()
    .execute();
  return rows.map(({ amount, ...row }) => ({ ...row, amount: centsOf(amount) }));
}

const centsOf = (text: string) =>
  text.startsWith('-') ? -decimalToCents(text.slice(1)) : decimalToCents(text);
