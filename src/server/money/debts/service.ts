import { centsToDecimal } from '#contract/base/money.ts';
import type { AdminDebt, SellerDebt, SellerDebts } from '#contract/money/debts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import * as store from './store.ts';

/*
 * A seller owes us when the buyer has got money back after the seller had been paid.
 *
 * Stripe: first the transfer is reversed. While Stripe refuses, because the seller's balance there is too low, and after
 * that is given up, the debt is kept back from the seller's next transfers, whose amount is ours to choose.
 *
 * PayPal: a payout releases all of a capture, so nothing can be kept back from it. Refunds and lost disputes after the
 * payout are PayPal's to collect from the seller's account there (its user agreement says so); only what it fails to
 * collect falls on us. To keep such a debt back from a Stripe payout could take it twice, so it stays until an admin has
 * seen in PayPal's report who has paid: `collected` or `written_off`. The seller can go on selling.
 */

/** A payout that covers more debts takes the oldest. */
const DEBTS_A_PAYOUT = 50;

/** The payments whose debts are kept back from the seller's next payouts, the oldest first. */
export async function debtsToKeepBack({ db }: Context, sellerId: number): Promise<number[]> {
  const owing = await store.listDebts(db, { sellerId, limit: DEBTS_A_PAYOUT });
  return owing.filter((debt) => wayOf(debt) === 'payouts').map(({ paymentId }) => paymentId);
}

function wayOf({ provider, isBeingReversed }: store.DebtRow): SellerDebt['way'] {
  if (provider === 'paypal') return 'provider';
  return isBeingReversed ? 'reversal' : 'payouts';
}

function toDebt(row: store.DebtRow): SellerDebt {
  const { paymentId, bidId, couponTitle, provider, owed, since } = row;
  const amount = centsToDecimal(owed);
  return { paymentId, bidId, couponTitle, provider, amount, since: since.toISOString(), way: wayOf(row) };
}

const NEXT_PAYOUTS = 20;

/** What the caller owes as a seller, and what the next payouts lose by it. */
export async function sellerDebts(ctx: MemberContext): Promise<SellerDebts> {
  const sellerId = ctx.actor.id;
  const rows = await store.listDebts(ctx.db, { sellerId, limit: 1_000 });
  let left = sumOf(rows.filter((row) => wayOf(row) === 'payouts'));
  const next = left === 0 ? [] : await store.listNextPayouts(ctx.db, sellerId, NEXT_PAYOUTS);
  const nextPayouts = next.map(({ due, ...payout }) => {
    const kept = Math.min(left, due);
    left -= kept;
    return { ...payout, amount: centsToDecimal(due), keptBack: centsToDecimal(kept) };
  });
  return {
    total: centsToDecimal(sumOf(rows)),
    debts: rows.map(toDebt),
    nextPayouts: nextPayouts.filter(({ keptBack }) => keptBack !== '0.00'),
  };
}

const sumOf = (rows: readonly store.DebtRow[]) => rows.reduce((sum, { owed }) => sum + owed, 0);

const DEBTS_SHOWN = 200;

/** The oldest debts of all sellers, for admins. */
export async function listDebts(ctx: MemberContext): Promise<AdminDebt[]> {
  const rows = await store.listDebts(ctx.db, { sellerId: null, limit: DEBTS_SHOWN });
  return rows.map((row) => {
    const { sellerId, sellerUsername } = row;
    return { ...toDebt(row), sellerId, sellerUsername };
  });
}
