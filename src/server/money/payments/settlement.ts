import type { ErrorCode } from '#contract/base/errors.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { completeSale, noteBegun, setPricePaidAt } from '#server/deals/bids/service.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { bookTotals, readTotals } from '#server/money/books/service.ts';
import { paymentsUnavailable } from '#server/people/sellers/service.ts';
import { type PaymentState, ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import * as cards from './cards-store.ts';
import { completeIfPaid } from './leg-prices.ts';
import { notifyOfPayment } from './notices.ts';
import * as operations from './operations-store.ts';
import { isDuplicate, isOutdated, mismatchOf, totalsOf, wrongPayout } from './reports.ts';
import {
  holdUntil,
  isCommitted,
  isGivenUp,
  isPayable,
  isUnsettled,
  nextTry,
  unsettledStatus,
} from './rules.ts';
import { followMoney, type LockedPayment, lockPaymentWithDeal } from './sales.ts';
import * as store from './store.ts';

/**
 * Applies a provider's report on a payment, whether it comes from an answer, a webhook or the reconciler. An unpaid payment
 * only moves forward. For a paid one, the ledger books the difference between its totals and what is booked. A report with
 * another amount, currency or receiver is not applied: a person has to look at it.
 * @param isExpected checks the locked payment; on false nothing happens
 */
export async function settle(
  ctx: Context,
  paymentId: number,
  state: PaymentState,
  isExpected: (payment: store.Payment, state: PaymentState) => boolean = () => true,
): Promise<void> {
  const problem = await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    const { payment } = locked;
    if (!isExpected(payment, state) || isDuplicate(payment, state)) return null;
    const at = ctx.clock();
    const booked = await readTotals(trx, paymentId);
    if (isOutdated(state, booked)) return null;
    const asked = state.payouts.length === 0 ? 0 : await operations.mostAsked(trx, paymentId);
    const mismatch = mismatchOf(payment, state) ?? wrongPayout(payment, state, booked, asked);
    if (mismatch === null) {
      await applyState(trx, ctx, locked, state, booked, at);
      return null;
    }
    const nextTryAt = isUnsettled(payment.status) ? nextTry(10, at) : undefined;
    await store.updatePayment(trx, payment, { details: mismatch, nextTryAt }, at);
    await operations.askPerson(trx, payment, mismatch, at);
    return mismatch;
  });
  if (problem !== null) ctx.log.error({ paymentId, problem }, 'a payment does not match what was asked for');
}

async function applyState(
  trx: Trx,
  ctx: Context,
  locked: LockedPayment,
  state: PaymentState,
  booked: Totals,
  at: Date,
): Promise<void> {
  const { bid, payment } = locked;
  if (payment.ref === null) await store.updatePayment(trx, payment, { ref: state.ref }, at);
  if (state.status !== 'succeeded') {
    if (isCommitted(state.status)) await noteBegun(trx, bid.id);
    await applyUnpaid(trx, payment, state.status, at);
    return;
  }
  await applySuccess(trx, ctx, locked, state, at);
  const totals = totalsOf(payment, state, booked);
  await bookTotals(trx, { payment, totals, at });
  if (totals.providerFees !== booked.providerFees)
    await store.updatePayment(trx, payment, { providerFee: totals.providerFees }, at);
  await followMoney(trx, ctx, await lockPaymentWithDeal(trx, payment.id), {
    before: booked,
    totals,
    isDisputed: state.isDisputed,
    evidenceDueAt: state.evidenceDueAt,
    at,
  });
  if (bid.exchangeId !== null) await completeIfPaid(trx, ctx, bid.exchangeId, at);
}

/** Follows the provider's status of an unpaid payment, forward only. */
async function applyUnpaid(
  trx: Trx,
  payment: store.Payment,
  provider: Exclude<PaymentState['status'], 'succeeded'>,
  at: Date,
): Promise<void> {
  if (provider === 'approved' && isPayable(payment.status)) {
    // The buyer's browser captures at once; if it is gone, we do.
    await operations.openOperation(trx, payment, 'capture', nextTry(1, at));
  }
  const status = unsettledStatus(payment.status, provider);
  if (status === payment.status) return;
  const isOver = isGivenUp(status);
  await store.updatePayment(
    trx,
    payment,
    { status, endedAt: isOver ? at : undefined, nextTryAt: isOver ? null : nextTry(1, at) },
    at,
  );
}

/** Handles a successful payment: completes the sale, or starts a refund if there is nothing to pay for. */
async function applySuccess(
  trx: Trx,
  ctx: Context,
  { bid, payment }: LockedPayment,
  state: PaymentState,
  at: Date,
): Promise<void> {
  if (!isUnsettled(payment.status) && !isGivenUp(payment.status)) return;
  const isDue = bid.status === 'accepted' && !isGivenUp(payment.status);
  // The hold of a price begins when the exchange is completed.
  const isSale = bid.exchangeId === null;
  await store.updatePayment(
    trx,
    payment,
    {
      status: isDue ? 'held' : 'refunding',
      chargeRef: state.chargeRef ?? state.ref,
      paidAt: at,
      endedAt: null,
      nextTryAt: null,
      ...(isDue && isSale && { holdUntil: holdUntil(at) }),
    },
    at,
  );
  await operations.closeOperation(trx, payment.id, 'capture', at);
  if (isDue && isSale) await completeSale(trx, ctx, bid, at);
  else if (isDue) await setPricePaidAt(trx, bid.id, at, at);
  else await operations.openOperation(trx, payment, 'refund', at);
  // Locks the person, so it comes after the deal.
  if (state.keptCard) {
    const paymentMethodId = await cards.keepCard(trx, payment.senderId, state.keptCard, at);
    await store.updatePayment(trx, payment, { paymentMethodId }, at);
  }
  await notifyOfPayment(trx, { bid, payment }, isDue ? 'paid' : 'paid_too_late', at);
}

/** Refreshes a payment from its provider and settles it. @returns the provider's state; null if it does not know it */
export async function settleFromProvider(
  ctx: Context,
  payment: Pick<store.Payment, 'id' | 'provider' | 'ref' | 'payoutRef'>,
  refHint: string | null = null,
): Promise<PaymentState | null> {
  const provider = ctx.providers.payments[payment.provider];
  const ref = payment.ref ?? refHint;
  if (!provider || ref === null) return null;
  const state = await provider.readPayment(ref, payment.payoutRef);
  if (state !== null) await settle(ctx, payment.id, state);
  return state;
}

/**
 * Turns provider errors into AppErrors: unreachable into payments_unavailable, a refusal into `code` with the
 * provider's text.
 */
export async function translateErrors<Result>(
  answer: Promise<Result>,
  code: ErrorCode = 'payment_changed',
): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw paymentsUnavailable(error);
    if (error instanceof ProviderRefusal) throw new AppError(code, error.message, { cause: error });
    throw error;
  }
}
