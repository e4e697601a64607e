import type { Cents } from '#contract/base/money.ts';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/people/sellers.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import {
  bookOffset,
  coverFromReserve,
  dueToSeller,
  keepReserve,
  readTotals,
  returnedOf,
  waitingAward,
} from '#server/money/books/service.ts';
import { debtsToKeepBack } from '#server/money/debts/service.ts';
import { refreshAccount } from '#server/people/sellers/service.ts';
import type { PaymentProvider, PaymentState } from '#server/providers/payments.ts';
import { ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import { captureApproved } from './capturing.ts';
import { failureOf, offsetsOf, refundToAsk, reversalsToAsk } from './decide-attempt.ts';
import { lockPaymentWithDeal } from './facts.ts';
import { notifyOfPayment } from './notices.ts';
import * as store from './operations-store.ts';
import { nextTry, saleOf } from './rules.ts';
import { settleFromProvider, translateErrors } from './settlement.ts';
import { findObstacle, findPayment, type Payment, updatePayment } from './store.ts';

/** An attempt at an operation, with what the provider says just before. */
interface Attempt {
  readonly ctx: Context;
  readonly provider: PaymentProvider;
  readonly payment: Payment;
  readonly state: PaymentState;
  readonly taken: store.Operation;
}

/**
 * One attempt each. The settlement of what the provider says afterwards ends an operation that has reached its aim. An attempt
 * that must not be made says why it waits.
 */
const ATTEMPTS: Record<store.OperationKind, (attempt: Attempt) => Promise<store.OperationChange>> = {
  async capture({ ctx, provider, payment, state }) {
    if (state.status === 'approved') await captureApproved(ctx, provider, payment.id);
    else await inTransaction(ctx.db, (trx) => store.closeOperation(trx, payment.id, 'capture', ctx.clock()));
    return {};
  },

  async payout({ ctx, provider, payment, state, taken }) {
    const { attempts, lastError: before } = taken;
    const now = ctx.clock();
    const waitsFor = state.totals.refundPending > 0 ? 'refund' : await findObstacle(ctx.db, payment.id, now);
    if (waitsFor !== null) return { waitsFor, attempts: attempts - 1, nextTryAt: nextTry(6, now) };
    await offsetDebts(ctx, payment);
    const amount = dueToSeller(payment, await readTotals(ctx.db, payment.id));
    if (amount <= 0) return {};
    if (payment.provider === 'paypal')
      await store.changeOperation(ctx.db, payment.id, 'payout', { waitsFor: null });
    else await store.notePayoutAsked(ctx.db, payment.id, amount);
    const payout = await provider.payOut({
      publicId: payment.publicId,
      amount,
      receiver: payment.receiverAccount,
      chargeRef: payment.chargeRef ?? '',
      idempotencyKey: keyOf(payment, 'payout', attempts, amount),
    });
    await inTransaction(ctx.db, (trx) => updatePayment(trx, payment, { payoutRef: payout.ref }, ctx.clock()));
    if (payout.failure === null) return {};
    await noteFailedPayout(ctx, payment, payout.failure, before === null);
    const lastError = `Payout ${payout.ref} failed: ${payout.failure}`;
    return failureOf('payout', taken, { lastError, isRefused: false, at: now }).change;
  },

  async refund({ ctx, provider, payment, state, taken: { attempts, target } }) {
    if (state.isDisputed) return { waitsFor: 'dispute', attempts: attempts - 1 };
    const { captured, refundPending: pending } = state.totals;
    const unfunded = await fundAward(ctx, payment.id);
    const totals = await readTotals(ctx.db, payment.id);
    const asked = refundToAsk(payment, { totals, target, captured, pending, unfunded });
    if (asked === 'seller_money') {
      const openedAt = ctx.clock();
      // It is given up a week after there was something to refund.
      return { waitsFor: asked, attempts: attempts - 1, openedAt, nextTryAt: addDays(openedAt, 1) };
    }
    if (asked === 'refund') return { waitsFor: asked, attempts: attempts - 1 };
    const { amount, platformFee } = asked;
    await store.changeOperation(ctx.db, payment.id, 'refund', { amount, waitsFor: null });
    await provider.refund({
      publicId: payment.publicId,
      ref: state.ref,
      chargeRef: payment.chargeRef ?? '',
      receiver: payment.receiverAccount,
      amount,
      platformFee,
      idempotencyKey: keyOf(payment, `refund-${returnedOf(totals)}`, attempts, amount),
    });
    return {};
  },

  async reversal({ ctx, provider, payment, state, taken: { attempts } }) {
    const totals = await readTotals(ctx.db, payment.id);
    for (const { ref, reversed, amount } of reversalsToAsk(state.payouts, -dueToSeller(payment, totals))) {
      await store.changeOperation(ctx.db, payment.id, 'reversal', { amount });
      const idempotencyKey = keyOf(payment, `reversal-${reversed}`, attempts, amount);
      await provider.reversePayout({ ref, amount, idempotencyKey });
    }
    return {};
  },
};

/**
 * Lays out of the reserve what is missing for a granted late claim, as far as the reserve can pay it.
 * @returns the cents that cannot be refunded yet; 0 for other refunds, and at PayPal, which takes the seller's part from
 *   the seller's account there with the refund
 */
function fundAward(ctx: Context, paymentId: number): Promise<Cents> {
  return inTransaction(ctx.db, async (trx) => {
    const { payment } = await lockPaymentWithDeal(trx, paymentId);
    const missing = await coverFromReserve(trx, { payment, at: ctx.clock() });
    return payment.provider === 'paypal' ? 0 : missing;
  });
}

/** Repeated with the same key, a provider repeats its stored answer, an error too; so the key changes after some tries. */
function keyOf({ publicId }: Payment, kind: string, attempts: number, amount: number): string {
  return `${publicId}-${kind}-${amount}-${Math.ceil(attempts / store.TRIES_PER_KEY)}`;
}

/**
 * Makes one attempt at an operation that is due. A failure is stored with the time of the next try; after a week the operation is
 * given up and waits for a person.
 * @returns whether the operation has reached its aim
 */
export async function attemptOperation(
  ctx: Context,
  paymentId: number,
  kind: store.OperationKind,
): Promise<boolean> {
  const now = ctx.clock();
  const until = (attempts: number) => nextTry(attempts, now);
  const taken = await store.takeOperation(ctx.db, { paymentId, kind, now, until });
  const payment = taken && (await findPayment(ctx.db, paymentId));
  const provider = payment && ctx.providers.payments[payment.provider];
  if (!taken || !payment || !provider) return false;
  try {
    // The money may have moved since: by an answer that was lost, or from outside.
    const state = await settleFromProvider(ctx, payment);
    const current = await findPayment(ctx.db, paymentId);
    if (state === null || !current)
      throw new ProviderUnreachable(`${payment.provider} does not know the payment`);
    if (!(await isOpen(ctx, paymentId, kind))) return true;
    const change = await ATTEMPTS[kind]({ ctx, provider, payment: current, state, taken });
    await store.changeOperation(ctx.db, paymentId, kind, { lastError: null, ...change });
    if (change.waitsFor) return false;
    await settleFromProvider(ctx, (await findPayment(ctx.db, paymentId)) ?? current);
    return !(await isOpen(ctx, paymentId, kind));
  } catch (error) {
    await noteFailure(ctx, payment, kind, taken, error);
    return false;
  }
}

async function isOpen(ctx: Context, paymentId: number, kind: store.OperationKind): Promise<boolean> {
  return (await store.findOperation(ctx.db, paymentId, kind)) !== null;
}

/** A provider refused or did not answer; also as `giveUp` translates it. */
function isProviders(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof ProviderRefusal || cause instanceof ProviderUnreachable;
}

async function noteFailure(
  ctx: Context,
  payment: Payment,
  kind: store.OperationKind,
  taken: store.Operation,
  error: unknown,
): Promise<void> {
  const about = { err: error, paymentId: payment.id, kind };
  if (isProviders(error)) ctx.log.warn(about, 'a provider did not do what it was asked for; later again');
  else ctx.log.error(about, 'a payment could not be moved on; later again');
  const lastError = error instanceof Error ? error.message : String(error);
  const now = ctx.clock();
  const isRefused = error instanceof ProviderRefusal;
  const failure = failureOf(kind, taken, { lastError, isRefused, at: now });
  await store.changeOperation(ctx.db, payment.id, kind, failure.change);
  if (failure.isNewDebt) await tellDebt(ctx, payment.id, now);
  if (failure.isOver) ctx.log.error(about, 'an operation at a provider was given up; a person has to decide');
  if (kind === 'payout' && isRefused) {
    await refreshReceiver(ctx, payment);
  }
}

/** The seller's account may be restricted: the next try then waits and says so. */
function refreshReceiver(ctx: Context, payment: Payment): Promise<void> {
  const { provider, receiverId: userId, receiverAccount: accountRef } = payment;
  return refreshAccount(ctx, { provider, userId, accountRef });
}

/** Tells the seller, the first time, that the provider could not pay. A dispute was told before. */
async function noteFailedPayout(ctx: Context, payment: Payment, failure: string, isFirst: boolean) {
  ctx.log.warn({ paymentId: payment.id, failure }, 'a payout failed; later again');
  if (isFirst && failure !== 'TRANSACTION_UNDER_DISPUTE') {
    await inTransaction(ctx.db, async (trx) =>
      notifyOfPayment(trx, await lockPaymentWithDeal(trx, payment.id), 'payout_failed', ctx.clock()),
    );
  }
  await refreshReceiver(ctx, payment);
}

/** Tells a seller that what could not be taken back is owed. */
async function tellDebt(ctx: Context, paymentId: number, at: Date): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const totals = await readTotals(trx, paymentId);
    await notifyOfPayment(trx, locked, 'debt', at, { before: totals, totals });
  });
}

/**
 * Before a Stripe payout: covers the seller's debts with it, the oldest first. Does nothing once a transfer was asked
 * for and may have been made: another amount could then be a second transfer.
 */
async function offsetDebts(ctx: Context, payment: Payment): Promise<void> {
  if (payment.provider !== 'stripe') return;
  const others = await debtsToKeepBack(ctx, payment.receiverId);
  if (others.length === 0) return;
  await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, payment.id, others);
    const payout = await store.findOperation(trx, payment.id, 'payout');
    if (payout === null || payout.amount !== null || locked.payment.status !== 'releasing') return;
    const before = await readTotals(trx, payment.id);
    const at = ctx.clock();
    const offsets = offsetsOf(dueToSeller(payment, before), await readDebts(trx, others));
    for (const { debt, amount, isAll } of offsets) {
      await bookOffset(trx, { payout: payment, debt, amount, at });
      if (isAll) await store.closeOperation(trx, debt.id, 'reversal', at);
      await followDebt(trx, debt, at);
    }
    const totals = await readTotals(trx, payment.id);
    if (offsets.length === 0 || dueToSeller(payment, totals) > 0) return;
    // Nothing is left to transfer.
    await store.closeOperation(trx, payment.id, 'payout', at);
    await updatePayment(trx, payment, { status: 'completed', endedAt: at }, at);
    await notifyOfPayment(trx, locked, 'kept_back', at, { before, totals });
  });
}

/** The payments of these that no reversal is on its way for, each with the cents that its seller owes. */
async function readDebts(trx: Trx, paymentIds: readonly number[]): Promise<(Payment & { owed: Cents })[]> {
  const debts: (Payment & { owed: Cents })[] = [];
  for (const id of paymentIds) {
    const debt = await findPayment(trx, id);
    if (!debt || !(await store.lockIdleReversal(trx, id))) continue;
    debts.push({ ...debt, owed: -dueToSeller(debt, await readTotals(trx, id)) });
  }
  return debts;
}

/** A seller's debt has become smaller: the reserve and the buyer of a granted late claim get what is theirs. */
export async function followDebt(trx: Trx, debt: Payment, at: Date): Promise<void> {
  await keepReserve(trx, { payment: debt, isFinal: saleOf(debt.status) === 'final', at });
  if (waitingAward(await readTotals(trx, debt.id)) > 0)
    await store.changeOperation(trx, debt.id, 'refund', { nextTryAt: at });
}

const OPERATIONS: readonly string[] = PAYMENT_PROVIDERS.flatMap((provider) => store.OPERATIONS_AT[provider]);
const isOperation = (name: string): name is store.OperationKind => OPERATIONS.includes(name);

/** Makes one attempt at an open operation now, under a new key, also at one that was given up. A failure is stored with it. */
export async function retryOperation(ctx: Context, paymentId: number, kind: string): Promise<void> {
  if (!isOperation(kind)) return;
  const isOpen = await inTransaction(ctx.db, (trx) =>
    store.hurryOperation(trx, paymentId, kind, ctx.clock()),
  );
  if (isOpen) await attemptOperation(ctx, paymentId, kind);
}

const PAYOUTS_AT_ONCE = 20;

/** Reads a seller's account from its provider, and tries the payouts that wait for the seller. @throws AppError payments_unavailable */
export async function retryPayoutsOf(
  ctx: Context,
  sellerId: number,
  provider: PaymentProviderName,
): Promise<void> {
  await translateErrors(refreshAccount(ctx, { provider, userId: sellerId, accountRef: null }));
  const waiting = await store.listWaitingPayouts(ctx.db, { sellerId, provider, limit: PAYOUTS_AT_ONCE });
  for (const paymentId of waiting) await retryOperation(ctx, paymentId, 'payout');
}

/** At once, so that one hanging call does not hold up the others. */
const WORKERS = 4;
const OPERATIONS_AT_ONCE = 200;

/** Makes one attempt at every operation of this kind that is due at a provider. @returns the number that reached their aim */
export async function attemptDue(
  ctx: Context,
  provider: PaymentProviderName,
  kind: store.OperationKind,
): Promise<number> {
  const due = await store.listDue(ctx.db, { provider, kind, now: ctx.clock(), limit: OPERATIONS_AT_ONCE });
  return countInWorkers(ctx, 'paymentId', due, (paymentId) => attemptOperation(ctx, paymentId, kind));
}

/** Moves each of these payments, bids, claims or deposits on, a few at a time. A failure is logged. @returns how many answered true */
export async function countInWorkers(
  ctx: Context,
  kind: 'paymentId' | 'bidId' | 'claimId' | 'depositId',
  ids: readonly number[],
  attempt: (id: number) => Promise<boolean>,
): Promise<number> {
  const waiting = [...ids];
  let count = 0;
  const worker = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        if (await attempt(id)) count += 1;
      } catch (error) {
        const about = { err: error, [kind]: id };
        if (isProviders(error))
          ctx.log.warn(about, 'a provider could not be asked about a payment; later again');
        else ctx.log.error(about, 'a payment could not be moved on; later again');
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return count;
}
