import type { Cents } from '#contract/base/money.ts';
import { LATE_CLAIM_DAYS } from '#contract/money/guarantee.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { bookTotals } from './ledger.ts';
import * as store from './reserve-store.ts';
import {
  type BookedPayment,
  payableFromReserve,
  reserveOf,
  stayingInReserve,
  uncoveredDebt,
} from './rules.ts';
import { readTotals } from './store.ts';

/*
 * The reserve of the guarantee is an account of the ledger. A part of ClipSwap's fee goes into it when a sale becomes
 * final, and leaves it again when the fee goes back. It lays out what a seller owes for a granted late claim, until the
 * seller has paid; if that is written off, the reserve has paid it. The database refuses a reserve below zero.
 */

/** A payment with what was in force at the sale. */
export interface GuaranteedPayment extends BookedPayment {
  /** Buyer and seller. */
  readonly senderId: number;
  readonly receiverId: number;
  readonly reservePercent: number;
}

/**
 * Books what a payment has in the reserve, and what the reserve takes back of what it has laid out, as the totals that
 * are booked demand it. The caller holds the payment's lock.
 * @param given `isFinal`: whether the sale is final
 */
export async function keepReserve(
  trx: Trx,
  { payment, isFinal, at }: { payment: GuaranteedPayment; isFinal: boolean; at: Date },
): Promise<void> {
  const totals = await readTotals(trx, payment.id);
  const due = reserveOf(payment, totals, { percent: payment.reservePercent, isFinal });
  const cameBack = totals.covered - due.covered;
  const leaves = totals.reserved - due.reserved;
  const kept = leaves <= 0 ? 0 : stayingInReserve({ leaves, cameBack, holds: await store.lockReserve(trx) });
  await bookTotals(trx, { payment, totals: { ...totals, ...due, reserved: due.reserved + kept }, at });
}

/**
 * What the reserve could pay for a buyer's claims now: see `payableFromReserve`. Inside a transaction that pays, lock it first.
 * @param given.sellerIds the sellers that will be asked about
 * @returns the cents by the seller, and by what the purchase itself has put into the reserve; null: it is not final
 */
export async function reserveFor(
  db: Database | Trx,
  { buyerId, sellerIds, at }: { buyerId: number; sellerIds: readonly number[]; at: Date },
): Promise<(sellerId: number, own: Cents | null) => Cents> {
  const since = addDays(at, -LATE_CLAIM_DAYS);
  const holds = await store.readReserve(db);
  const forBuyer = (await store.coveredFor(db, 'sender', [buyerId], since)).get(buyerId) ?? 0;
  const against = await store.coveredFor(db, 'receiver', sellerIds, since);
  const purchases = await store.countFinalPurchases(db, buyerId);
  return (sellerId, own) =>
    payableFromReserve({ holds, own, forBuyer, againstSeller: against.get(sellerId) ?? 0, purchases });
}

/** Of these payments, those for which the reserve pays. */
export function coveredPayments(db: Database, paymentIds: readonly number[]) {
  return store.listCovered(db, paymentIds);
}

/**
 * Lays out of the reserve what the seller owes for a granted late claim, as far as the reserve can pay it; nothing where
 * buyer and seller may be one person. The caller holds the payment's lock.
 * @returns the cents of the debt that nobody has paid or laid out yet
 */
export async function coverFromReserve(
  trx: Trx,
  { payment, at }: { payment: GuaranteedPayment; at: Date },
): Promise<Cents> {
  const totals = await readTotals(trx, payment.id);
  const open = uncoveredDebt(payment, totals);
  if (open === 0 || totals.awarded === 0) return 0;
  await store.lockReserve(trx);
  // The claim has undone the sale, so it is no final purchase any more.
  const isCovered = (await store.listCovered(trx, [payment.id])).has(payment.id);
  const { senderId: buyerId, receiverId: sellerId } = payment;
  const payableFor = await reserveFor(trx, { buyerId, sellerIds: [sellerId], at });
  const payable = isCovered ? payableFor(sellerId, null) : 0;
  const covered = totals.covered + Math.min(open, payable);
  await bookTotals(trx, { payment, totals: { ...totals, covered }, at });
  return uncoveredDebt(payment, { ...totals, covered });
}
