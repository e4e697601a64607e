import type { Cents } from '#contract/base/money.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import * as checks from './checks-store.ts';
import { type BookedPayment, differenceOf, JOURNALS, type Totals } from './rules.ts';
import * as store from './store.ts';

export {
  dueToSeller,
  feeShareOf,
  NO_TOTALS,
  returnedOf,
  shareOfSeller,
  type Totals,
  waitingAward,
} from './rules.ts';
export { readTotals, readTotalsOf } from './store.ts';

/**
 * Books how a payment's totals differ from what is booked, one journal for each total that has moved. Booking the same
 * totals again does nothing. The caller holds the payment's lock.
 */
export async function bookTotals(
  trx: Trx,
  { payment, totals, at }: { payment: BookedPayment; totals: Totals; at: Date },
): Promise<void> {
  let booked = await store.readTotals(trx, payment.id);
  for (const [kind, total] of JOURNALS) {
    const next = { ...booked, [total]: totals[total] };
    if (kind === 'refund') next.feesRefunded = totals.feesRefunded;
    const entries = differenceOf(payment, booked, next);
    if (entries.length === 0) continue;
    const feeAmount = next.feesRefunded - booked.feesRefunded;
    const change = { kind, paymentId: payment.id, amount: next[total] - booked[total], feeAmount, at };
    await store.insertJournal(trx, change, entries);
    booked = next;
  }
}

/**
 * Covers a debt of a seller with money that the same seller is due for another payment: one journal at each, through
 * the account `offsets`. The caller holds the locks of both payments.
 */
export async function bookOffset(
  trx: Trx,
  given: { payout: BookedPayment; debt: BookedPayment; amount: Cents; at: Date },
): Promise<void> {
  const { payout, debt, amount, at } = given;
  for (const [payment, other, change] of [
    [payout, debt, amount],
    [debt, payout, -amount],
  ] as const) {
    const before = await store.readTotals(trx, payment.id);
    const entries = differenceOf(payment, before, { ...before, offset: before.offset + change });
    const journal = {
      kind: 'offset',
      paymentId: payment.id,
      otherPaymentId: other.id,
      feeAmount: 0,
    } as const;
    await store.insertJournal(trx, { ...journal, amount: change, at }, entries);
  }
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
    await checks.useSnapshot(trx);
    return { ...(await checks.countBooks(trx)), broken: await checks.checkBooks(trx) };
  });
}
