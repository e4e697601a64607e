import type { AdminDebt, SellerDebt, SellerDebts, SettleDebtInput } from '#contract/debts.ts';
import { centsToDecimal } from '#contract/money.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { audit } from '../audit/service.ts';
import type { Context, MemberContext } from '../context.ts';
import { bookOffset, bookTotals, dueToSeller, readTotals } from '../ledger/service.ts';
import { closeAct, findAct } from './acts-store.ts';
import * as debts from './debts-store.ts';
import { lockPaymentWithDeal } from './locking.ts';
import { notifyOfPayment } from './notices.ts';
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

/** At once: a payout that covers more debts takes the oldest. */
const DEBTS_AT_ONCE = 50;

/**
 * Before a Stripe payout: covers the seller's debts with it, the oldest first. Does nothing once a transfer was asked
 * for and may have been made: another amount could then be a second transfer.
 */
export async function offsetDebts(ctx: Context, payment: store.Payment): Promise<void> {
  if (payment.provider !== 'stripe') return;
  const open = { sellerId: payment.receiverId, limit: DEBTS_AT_ONCE };
  const owing = (await debts.listDebts(ctx.db, open)).filter((debt) => wayOf(debt) === 'payouts');
  if (owing.length === 0) return;
  await inTransaction(ctx.db, async (trx) => {
    const others = owing.map(({ paymentId }) => paymentId);
    const locked = await lockPaymentWithDeal(trx, payment.id, others);
    const act = await findAct(trx, payment.id, 'payout');
    if (act === null || act.amount !== null || locked.payment.status !== 'releasing') return;
    const before = await readTotals(trx, payment.id);
    const at = ctx.clock();
    let left = dueToSeller(payment, before);
    for (const paymentId of others) {
      const debt = await store.findPayment(trx, paymentId);
      if (!debt || !(await debts.lockIdleReversal(trx, paymentId))) continue;
      const owed = -dueToSeller(debt, await readTotals(trx, paymentId));
      const amount = Math.min(left, owed);
      if (amount <= 0) continue;
      await bookOffset(trx, { payout: payment, debt, amount, at });
      if (amount === owed) await closeAct(trx, paymentId, 'reversal', at);
      left -= amount;
    }
    const totals = await readTotals(trx, payment.id);
    if (left > 0 || totals.offset === before.offset) return;
    // Nothing is left to transfer.
    await closeAct(trx, payment.id, 'payout', at);
    await store.updatePayment(trx, payment, { status: 'completed', endedAt: at }, at);
    await notifyOfPayment(trx, locked, 'kept_back', at, { before, totals });
  });
}

function wayOf({ provider, isBeingReversed }: debts.DebtRow): SellerDebt['way'] {
  if (provider === 'paypal') return 'provider';
  return isBeingReversed ? 'reversal' : 'payouts';
}

function toDebt(row: debts.DebtRow): SellerDebt {
  const { paymentId, bidId, couponTitle, provider, owed, since } = row;
  const amount = centsToDecimal(owed);
  return { paymentId, bidId, couponTitle, provider, amount, since: since.toISOString(), way: wayOf(row) };
}

const NEXT_PAYOUTS = 20;

/** What the caller owes as a seller, and what the next payouts lose by it. */
export async function sellerDebts(ctx: MemberContext): Promise<SellerDebts> {
  const sellerId = ctx.actor.id;
  const rows = await debts.listDebts(ctx.db, { sellerId, limit: 1_000 });
  let left = sumOf(rows.filter((row) => wayOf(row) === 'payouts'));
  const next = left === 0 ? [] : await debts.listNextPayouts(ctx.db, sellerId, NEXT_PAYOUTS);
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

const sumOf = (rows: readonly debts.DebtRow[]) => rows.reduce((sum, { owed }) => sum + owed, 0);

const DEBTS_SHOWN = 200;

/** The oldest debts of all sellers, for admins. */
export async function listDebts(ctx: MemberContext): Promise<AdminDebt[]> {
  const rows = await debts.listDebts(ctx.db, { sellerId: null, limit: DEBTS_SHOWN });
  return rows.map((row) => {
    const { sellerId, sellerUsername } = row;
    return { ...toDebt(row), sellerId, sellerUsername };
  });
}

/**
 * Ends all that is still owed for a payment.
 * @throws AppError not_found, forbidden (the seller), payment_changed (nothing is owed; a reversal is on its way; a
 *   Stripe debt cannot be `collected`)
 */
export async function settleDebt(
  ctx: MemberContext,
  { paymentId, how, reason }: SettleDebtInput,
): Promise<void> {
  const found = await store.findPayment(ctx.db, paymentId);
  if (!found) throw notFound('Payment');
  if (found.receiverId === ctx.actor.id) {
    throw new AppError('forbidden', 'This is your own debt: another admin has to decide.');
  }
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { payment } = locked;
    const before = await readTotals(trx, paymentId);
    const owed = -dueToSeller(payment, before);
    if (owed <= 0) throw new AppError('payment_changed', 'Nothing is owed for this sale any more.');
    if (!(await debts.lockIdleReversal(trx, paymentId))) {
      throw new AppError('payment_changed', 'Stripe is being asked to take this back. Try again in an hour.');
    }
    if (how === 'collected' && payment.provider === 'stripe') {
      throw new AppError('payment_changed', 'Stripe does not collect debts. Write it off instead.');
    }
    const at = ctx.clock();
    const totals =
      how === 'collected'
        ? { ...before, collected: before.collected + owed }
        : { ...before, writtenOff: before.writtenOff + owed };
    await bookTotals(trx, { payment, totals, at });
    await closeAct(trx, paymentId, 'reversal', at);
    await notifyOfPayment(trx, locked, 'debt_settled', at, { before, totals });
    await audit(trx, {
      actorId: ctx.actor.id,
      action: `debt_${how}`,
      details: `${centsToDecimal(owed)} CAD of payment ${paymentId}. ${reason}`,
      targetUserId: payment.receiverId,
      at,
    });
  });
}
