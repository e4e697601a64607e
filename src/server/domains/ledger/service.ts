import { inTransaction, type Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { type BookedPayment, entriesOf, type JournalKind } from './rules.ts';
import * as store from './store.ts';

export { type BookedPayment, payoutOf } from './rules.ts';

/**
 * Books an event of a payment, in the transaction that stores it. Booking the same kind and source again does nothing.
 * @param sourceRef the provider's id of the charge, transfer, refund or dispute
 * @returns whether it was booked now
 */
export async function book(
  trx: Trx,
  given: { kind: JournalKind; payment: BookedPayment; sourceRef: string; at: Date },
): Promise<boolean> {
  const { kind, payment, sourceRef, at } = given;
  const entries = entriesOf(kind, payment);
  if (entries.length === 0) return false;
  const journalId = await store.insertJournal(trx, { kind, paymentId: payment.id, sourceRef, at });
  if (journalId === null) return false;
  await store.insertEntries(trx, journalId, entries);
  return true;
}

/** Fees earned and not refunded, as a decimal string in CAD. */
export async function feesEarned(ctx: Context): Promise<string> {
  return store.sumOfFees(ctx.db);
}

export interface BooksReport {
  readonly payments: number;
  readonly journals: number;
  readonly entries: number;
  /** Broken rules with offending rows; empty when the books are right. */
  readonly broken: readonly { readonly rule: string; readonly rows: readonly unknown[] }[];
}

/** Checks the books: journals balance, payments and ledger agree, nothing is orphaned. */
export async function checkLedger(ctx: Pick<Context, 'db'>): Promise<BooksReport> {
  return inTransaction(ctx.db, async (trx) => {
    await store.useSnapshot(trx);
    return { ...(await store.countBooks(trx)), broken: await store.checkBooks(trx) };
  });
}
