import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { feesOf } from '#contract/money/fees.ts';
import type { Checkout, PaymentClient, PayWithCard } from '#contract/money/payments.ts';
import { PAYMENT_PROVIDERS } from '#contract/people/sellers.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit } from '#server/core/rate-limit.ts';
import type { PayableBid } from '#server/deals/bids/service.ts';
import { paymentsUnavailable } from '#server/people/sellers/service.ts';
import { type PaymentState, ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import { captureApproved } from './capturing.ts';
import { ensureCustomer, findOwnCard } from './cards.ts';
import { findOwnBid, LOOKS_PER_PERSON, openPayment, payableAccounts } from './opening.ts';
import { settle, settleFromProvider, translateErrors } from './settlement.ts';
import * as store from './store.ts';

/** What the browser needs to load the providers' scripts. */
export function paymentClient(ctx: Context): PaymentClient {
  return ctx.providers.paymentClient;
}

/**
 * What the buyer has to pay, and the providers to pay through, with the bid.
 * @throws AppError not_found, forbidden (somebody else's bid), bid_not_accepted, deal_changed (too late),
 *   seller_not_ready (also notifies the seller), payments_unavailable
 */
export async function checkout(
  ctx: MemberContext,
  bidId: number,
): Promise<Omit<Checkout, 'cover'> & { readonly bid: PayableBid }> {
  const bid = await findOwnBid(ctx, bidId);
  const accounts = await payableAccounts(ctx, bid);
  const { amount, buyerFee, buyerTotal } = feesOf(bid.amount, bid.feeRates);
  return {
    bid,
    bidId,
    amount: centsToDecimal(amount),
    buyerFee: centsToDecimal(buyerFee),
    buyerTotal: centsToDecimal(buyerTotal),
    providers: PAYMENT_PROVIDERS.filter((name) => accounts.has(name)),
  };
}

/**
 * The card payment of an accepted bid; repeated calls return the same.
 * @throws AppError as `checkout`, code_refused, code_unchecked (unless acknowledged), payment_changed (processing or paid), payments_unavailable, rate_limited
 */
export async function createPaymentIntent(
  ctx: MemberContext,
  {
    bidId,
    keepCard,
    acknowledgeUnchecked,
  }: { bidId: number; keepCard: boolean; acknowledgeUnchecked?: boolean | undefined },
): Promise<{ paymentId: number; clientSecret: string }> {
  const { payment, state, provider } = await openPayment(ctx, bidId, 'stripe', acknowledgeUnchecked);
  if (provider.cards) {
    const customer = keepCard ? await translateErrors(ensureCustomer(ctx, provider)) : null;
    await translateErrors(provider.cards.keepCard(state.ref, customer));
  }
  return { paymentId: payment.id, clientSecret: secretOf(state) };
}

function secretOf({ clientSecret }: PaymentState): string {
  if (clientSecret === null) throw new Error('A card payment has a client secret');
  return clientSecret;
}

/**
 * Pays with a saved card. If the bank requires confirmation, the browser asks for it.
 * @throws AppError as `createPaymentIntent`, not_found (no such card), payment_declined
 */
export async function payWithCard(
  ctx: MemberContext,
  {
    bidId,
    paymentMethodId,
    acknowledgeUnchecked,
  }: { bidId: number; paymentMethodId: number; acknowledgeUnchecked?: boolean | undefined },
): Promise<PayWithCard> {
  const { payment, state, provider } = await openPayment(ctx, bidId, 'stripe', acknowledgeUnchecked);
  if (!provider.cards) throw paymentsUnavailable();
  const card = await findOwnCard(ctx, paymentMethodId);
  const paid = await translateErrors(
    provider.cards.payWithCard({
      ref: state.ref,
      token: card.tokenizedDetails,
      customerRef: await ensureCustomer(ctx, provider),
      returnUrl: ctx.config.publicUrl + paths.paymentResult(bidId),
      idempotencyKey: `${payment.publicId}-card-${card.id}-${ctx.clock().getTime()}`,
    }),
    'payment_declined',
  );
  await settle(ctx, payment.id, paid);
  const { status } = paid;
  if (status !== 'requires_action' && status !== 'processing' && status !== 'succeeded') {
    throw new AppError('payment_declined', paid.failureText ?? TEXTS.checkout.failedText());
  }
  return { paymentId: payment.id, clientSecret: secretOf(paid), status };
}

/** The PayPal order of an accepted bid; repeated calls return the same. @throws AppError as `createPaymentIntent` */
export async function createPaypalOrder(
  ctx: MemberContext,
  bidId: number,
  acknowledgeUnchecked = false,
): Promise<{ paymentId: number; orderId: string }> {
  const { payment, state } = await openPayment(ctx, bidId, 'paypal', acknowledgeUnchecked);
  return { paymentId: payment.id, orderId: state.ref };
}

/**
 * Captures the PayPal order that the buyer has approved.
 * @throws AppError as `checkout`, payment_changed (nothing to capture), payment_declined, payments_unavailable
 */
export async function capturePaypalOrder(ctx: MemberContext, bidId: number): Promise<void> {
  const bid = await findOwnBid(ctx, bidId);
  const provider = ctx.providers.payments.paypal;
  if (!provider) throw paymentsUnavailable();
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const payment = await store.findPaymentOfBid(ctx.db, bid.id);
  if (payment?.provider !== 'paypal' || payment.status !== 'open') throw nothingToCapture();
  let state: PaymentState | null;
  try {
    state = await captureApproved(ctx, provider, payment.id);
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw paymentsUnavailable(error);
    if (!(error instanceof ProviderRefusal)) throw error;
    throw new AppError('payment_declined', TEXTS.checkout.failedText(), { cause: error });
  }
  if (state === null) throw nothingToCapture();
  if (state.status === 'open' || state.status === 'approved' || state.status === 'failed') {
    throw new AppError('payment_declined', state.failureText ?? TEXTS.checkout.failedText());
  }
}

function nothingToCapture(): AppError {
  return new AppError('payment_changed', t`There is no PayPal payment to complete for this bid.`);
}

/**
 * Refreshes a bid's payment from the provider, so that nobody has to wait for a webhook.
 * @throws AppError not_found (strangers too, or no payment), payments_unavailable, rate_limited
 */
export async function refreshPayment(ctx: MemberContext, bidId: number): Promise<void> {
  await enforceLimit(ctx.limiter, LOOKS_PER_PERSON, String(ctx.actor.id));
  const payment = await findPaymentOfParty(ctx, bidId);
  await translateErrors(settleFromProvider(ctx, payment));
}

/** The latest payment of a bid, for its buyer or seller. @throws AppError not_found, for strangers too */
export async function findPaymentOfParty(ctx: MemberContext, bidId: number): Promise<store.Payment> {
  const payment = await store.findPaymentOfBid(ctx.db, bidId);
  if (!payment || ![payment.senderId, payment.receiverId].includes(ctx.actor.id))
    throw notFound(t`Payment not found`);
  return payment;
}

export { paymentDetails, refundByAdmin, retryPayment, settleDebt } from './admin.ts';
export { follow } from './apply.ts';
export { deleteCardsOfLeavers } from './cards.ts';
export { retryEvent } from './events.ts';
export { lockPaymentWithDeal } from './facts.ts';
export { attemptOperation, countInWorkers, retryOperation, retryPayoutsOf } from './operations.ts';
export { listWaits } from './operations-store.ts';
export { lapseUnpaidBids, PAYMENT_WORKERS } from './reconcile.ts';
export { holdUntil, nextTry, saleOf } from './rules.ts';
export { settleFromProvider, translateErrors } from './settlement.ts';
export { findPaymentOfBid, listPaymentsOfBids } from './store.ts';
