import { inTransaction, type Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { type BookedPayment, entriesOf, type JournalKind } from './rules.ts';
import * as store from './store.ts';

export { type BookedPayment, payoutOf } from './rules.ts';

/**
 * Books what has happened to a payment, in the transaction in which it is written down there. What has been booked
 * before under the same kind and source is left as it is.
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

/** What ClipSwap has earned and kept, a decimal text in CAD: fees of money that went back are not in it. */
export async function feesEarned(ctx: Context): Promise<string> {
  return store.sumOfFees(ctx.db);
}

/** What one look at the books found. */
export interface BooksReport {
  readonly payments: number;
  readonly journals: number;
  readonly entries: number;
  /** The rules that are broken, with the rows that prove it; empty when every cent is accounted for. */
  readonly broken: readonly { readonly rule: string; readonly rows: readonly unknown[] }[];
}

/** Proves the books: journals balance, payments and ledger agree, nothing stands alone. */
export async function checkLedger(ctx: Pick<Context, 'db'>): Promise<BooksReport> {
  return inTransaction(ctx.db, async (trx) => {
    await store.freeze(trx);
    return { ...(await store.countBooks(trx)), broken: await store.checkBooks(trx) };
  });
}
