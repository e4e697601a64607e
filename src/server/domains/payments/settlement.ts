import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { type PaymentState, ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import {
  completeSale,
  findPayableBid,
  lockPayableBid,
  type PayableBid,
  returnSale,
} from '../bids/service.ts';
import type { Context } from '../context.ts';
import { lockCoupons, releaseReservation } from '../deals/service.ts';
import { book } from '../ledger/service.ts';
import { notifyParties } from '../notifications/service.ts';
import { paymentsUnavailable } from '../sellers/service.ts';
import * as cards from './cards-store.ts';
import { endClaim, findClaimOf } from './claims-store.ts';
import {
  holdUntil,
  isGivenUp,
  isUnsettled,
  nextTry,
  type PaymentStory,
  storyOf,
  unsettledStatus,
} from './rules.ts';
import * as store from './store.ts';

/** A locked payment and its locked bid. */
export interface LockedPayment {
  readonly bid: PayableBid;
  readonly payment: store.Payment;
}

/** Locks a payment's coupon, bid and row, in this order, and reads bid and payment. */
export async function lockPaymentWithDeal(trx: Trx, paymentId: number): Promise<LockedPayment> {
  const found = await store.findPayment(trx, paymentId);
  const seen = found && (await findPayableBid(trx, found.bidId));
  if (!seen) throw new Error(`Payment ${paymentId} or its bid is gone`);
  await lockCoupons(trx, [seen.couponId]);
  const bid = await lockPayableBid(trx, seen.id);
  return { bid, payment: await store.lockPayment(trx, paymentId) };
}

/**
 * Applies a provider's report on a payment, from an answer, a webhook or the reconciler. The payment only moves
 * forward, each effect happens once, and a report with another amount, currency or receiver is stored as a mismatch and
 * not applied.
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
    if (!isExpected(locked.payment, state) || isDuplicate(locked.payment, state)) return null;
    const mismatch = mismatchOf(locked.payment, state);
    if (mismatch !== null) {
      const at = ctx.clock();
      const nextTryAt = isUnsettled(locked.payment.status) ? nextTry(10, at) : undefined;
      await store.updatePayment(trx, locked.payment, { details: mismatch, nextTryAt }, at);
      return mismatch;
    }
    await applyState(trx, locked, state, ctx.clock());
    return null;
  });
  if (problem !== null) ctx.log.error({ paymentId, problem }, 'a payment does not match what was asked for');
}

/**
 * A duplicate at the provider: created after the answer to the first was lost. Nobody has its secret, so it cannot be
 * paid.
 */
function isDuplicate(payment: store.Payment, state: PaymentState): boolean {
  const isOurs = state.publicId === payment.publicId && payment.ref !== null;
  return isOurs && payment.ref !== state.ref && state.status === 'open';
}

/** How a report differs from what we requested; null when it does not. */
function mismatchOf(payment: store.Payment, state: PaymentState): string | null {
  const isOther = payment.ref !== null && payment.ref !== state.ref;
  if (isOther || (state.publicId !== null && state.publicId !== payment.publicId))
    return 'It is another payment';
  if (state.currency !== 'CAD') return `Its currency is ${state.currency}`;
  if (state.amount !== payment.buyerTotal) return `Its amount is ${state.amount} cents`;
  if (state.receiver !== null && state.receiver !== payment.receiverAccount)
    return 'It is for another account';
  return null;
}

/** One report can contain several steps; each starts from the state that the step before has left. */
async function applyState(trx: Trx, locked: LockedPayment, state: PaymentState, at: Date): Promise<void> {
  const { payment } = locked;
  const readAgain = () => lockPaymentWithDeal(trx, payment.id);
  if (payment.ref === null) await store.updatePayment(trx, payment, { ref: state.ref }, at);
  if (state.status === 'succeeded') await applySuccess(trx, locked, state, at);
  else await applyUnpaid(trx, payment, state.status, at);
  await bookProviderFee(trx, await readAgain(), state, at);
  if (state.refund?.status === 'succeeded') await finishRefund(trx, await readAgain(), state.refund.ref, at);
  if (state.dispute) await applyDispute(trx, await readAgain(), state.dispute, at);
}

/** Follows the provider's status of an unpaid payment, forward only. */
async function applyUnpaid(
  trx: Trx,
  payment: store.Payment,
  provider: Exclude<PaymentState['status'], 'succeeded'>,
  at: Date,
): Promise<void> {
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

/** Handles a successful payment: completes the sale, or starts a refund if there is nothing to sell. */
async function applySuccess(
  trx: Trx,
  { bid, payment }: LockedPayment,
  state: PaymentState,
  at: Date,
): Promise<void> {
  if (!isUnsettled(payment.status) && !isGivenUp(payment.status)) return;
  const chargeRef = state.chargeRef ?? state.ref;
  const isSale = bid.status === 'accepted' && !isGivenUp(payment.status);
  await store.updatePayment(
    trx,
    payment,
    {
      status: isSale ? 'held' : 'refunding',
      chargeRef,
      paidAt: at,
      endedAt: null,
      ...(isSale ? { holdUntil: holdUntil(at), nextTryAt: null } : { nextTryAt: at }),
    },
    at,
  );
  await book(trx, { kind: 'capture', payment, sourceRef: chargeRef, at });
  if (isSale) await completeSale(trx, bid, at);
  // Locks the person, so it comes after the deal.
  if (state.keptCard) {
    const paymentMethodId = await cards.keepCard(trx, payment.senderId, state.keptCard, at);
    await store.updatePayment(trx, payment, { paymentMethodId }, at);
  }
  await notifyOfPayment(trx, { bid, payment }, isSale ? 'paid' : 'paid_too_late', at);
}

async function bookProviderFee(
  trx: Trx,
  { payment }: LockedPayment,
  state: PaymentState,
  at: Date,
): Promise<void> {
  const { providerFee } = state;
  if (providerFee === null || payment.chargeRef === null || payment.providerFee !== null) return;
  await store.updatePayment(trx, payment, { providerFee }, at);
  await book(trx, {
    kind: 'provider_fee',
    payment: { ...payment, providerFee },
    sourceRef: payment.chargeRef,
    at,
  });
}

/** How an open claim ends when the buyer is refunded without a decision. */
const OVERTAKEN = {
  status: 'refunded',
  note: 'The buyer has got the money back without a decision.',
  decidedBy: null,
} as const;

/** Completes a full refund and returns the coupon, also for a refund made at the provider itself. */
export async function finishRefund(
  trx: Trx,
  { bid, payment }: LockedPayment,
  refundRef: string,
  at: Date,
): Promise<void> {
  if (payment.status === 'held') {
    await store.updatePayment(trx, payment, { status: 'refunding', nextTryAt: null }, at);
  } else if (payment.status !== 'refunding') return;
  await store.updatePayment(trx, payment, { status: 'refunded', endedAt: at, nextTryAt: null }, at);
  await endClaim(trx, { ...OVERTAKEN, paymentId: payment.id, at });
  await book(trx, { kind: 'refund', payment, sourceRef: refundRef, at });
  if (bid.status === 'completed') await returnSale(trx, bid, at);
  await notifyOfPayment(trx, { bid, payment }, 'refunded', at);
}

/** Follows a dispute. Nothing is released or refunded until the bank has decided. */
async function applyDispute(
  trx: Trx,
  { bid, payment }: LockedPayment,
  dispute: NonNullable<PaymentState['dispute']>,
  at: Date,
): Promise<void> {
  if (payment.chargeRef === null || payment.status === 'charged_back' || payment.status === 'refunded')
    return;
  const isNew = await book(trx, { kind: 'dispute_opened', payment, sourceRef: dispute.ref, at });
  if (isNew) {
    await store.updatePayment(trx, payment, { isDisputed: true }, at);
    if (dispute.status === 'open') await notifyOfPayment(trx, { bid, payment }, 'disputed', at);
  }
  if (
    dispute.status === 'won' &&
    (await book(trx, { kind: 'dispute_won', payment, sourceRef: dispute.ref, at }))
  ) {
    const nextTryAt = payment.status === 'releasing' || payment.status === 'refunding' ? at : undefined;
    await store.updatePayment(trx, payment, { isDisputed: false, nextTryAt }, at);
    await notifyOfPayment(trx, { bid, payment }, 'dispute_won', at);
  }
  if (
    dispute.status === 'lost' &&
    (await book(trx, { kind: 'dispute_lost', payment, sourceRef: dispute.ref, at }))
  ) {
    // The reconciler reverses a payout that was made already, if the provider can.
    const change = { status: 'charged_back', isDisputed: false, endedAt: at, nextTryAt: null } as const;
    await store.updatePayment(trx, payment, change, at);
    const isUndone = payment.status === 'held' || payment.status === 'refunding';
    // A payment that came too late has completed no sale.
    if (isUndone && bid.status === 'completed') await returnSale(trx, bid, at);
    else await releaseReservation(trx, { bidId: bid.id });
    await endClaim(trx, { ...OVERTAKEN, paymentId: payment.id, at });
    await notifyOfPayment(trx, { bid, payment }, 'dispute_lost', at);
  }
}

/** Writes the history of the parties that the story has words for, and notifies them. */
export async function notifyOfPayment(
  trx: Trx,
  { bid, payment }: LockedPayment,
  what: PaymentStory,
  at: Date,
): Promise<void> {
  const story = storyOf(what, bid, payment, (await findClaimOf(trx, payment.id))?.note ?? null);
  const party = (userId: number, text: string | null) => (text === null ? [] : [{ userId, text }]);
  await notifyParties(trx, [
    {
      deal: { dealType: 'bid', dealId: bid.id },
      parties: [...party(payment.senderId, story.buyer), ...party(payment.receiverId, story.seller)],
      actorId: null,
      action: story.action,
      about: { paymentId: payment.id, couponId: bid.couponId },
      mailSubject: story.mailSubject,
      at,
    },
  ]);
}

/** Refreshes a payment from its provider and settles it. @returns whether the provider knows it */
export async function settleFromProvider(
  ctx: Context,
  payment: Pick<store.Payment, 'id' | 'provider' | 'ref'>,
  refHint: string | null = null,
): Promise<boolean> {
  const provider = ctx.providers.payments[payment.provider];
  const ref = payment.ref ?? refHint;
  if (!provider || ref === null) return false;
  const state = await provider.readPayment(ref);
  if (state === null) return false;
  await settle(ctx, payment.id, state);
  return true;
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
