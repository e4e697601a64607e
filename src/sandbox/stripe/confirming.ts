import type Stripe from 'stripe';
import type { Refusal } from '#sandbox/server.ts';
import { type CardError, DECLINES } from './cards.ts';
import { authoriseCard, chargeCard, refusedCharge } from './charges.ts';
import { attachMethod, outcomeOf, spendCard } from './customers.ts';
import { makeDispute } from './disputes.ts';
import { newId, type StripeContext } from './objects.ts';
import { invalid, refusal } from './params.ts';

/** Whether the buyer can still pay it. */
export function isOpen({ status }: Stripe.PaymentIntent): boolean {
  return (
    status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action'
  );
}

export function unexpectedState({ status }: Stripe.PaymentIntent, act: string) {
  return invalid(`You cannot ${act} this PaymentIntent because it has a status of ${status}.`, {
    code: 'payment_intent_unexpected_state',
  });
}

/**
 * Tries to pay with a card.
 * @returns the payment intent: succeeded, processing, or waiting for the bank's confirmation
 * @throws Refusal card_error when the bank declines
 */
export async function confirmIntent(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalid(
      'The provided PaymentMethod belongs to a Customer. Please include the Customer in the `customer` parameter on the PaymentIntent.',
      { param: 'payment_method' },
    );
  }
  const outcome = await outcomeOf(ctx, method.id);
  const decline = DECLINES[outcome];
  if (decline) throw await declined(ctx, intent, method, decline);
  const tried = { ...intent, payment_method: method.id, last_payment_error: null };
  if (outcome === 'challenge') return requireAction(ctx, tried);
  if (outcome === 'processing') return startProcessing(ctx, tried);
  const paid = await succeed(ctx, tried, method);
  if (outcome === 'disputed' || outcome === 'inquiry') {
    await makeDispute(ctx, paid.id, { kind: outcome === 'inquiry' ? 'inquiry' : 'chargeback' });
  }
  return paid;
}

/** The bank has confirmed the payment, or has not. */
export async function answerChallenge(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  isConfirmed: boolean,
): Promise<Stripe.PaymentIntent> {
  if (isConfirmed) return succeed(ctx, { ...intent, next_action: null }, method);
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  return fail(ctx, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message,
    payment_method: method,
  });
}

/** Takes the money, and keeps the card if the buyer asked for it. */
export async function succeed(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  const { customer, setup_future_usage: usage } = intent;
  if (method.customer === null) {
    if (typeof customer === 'string' && usage !== null) await attachMethod(ctx, method, customer);
    else await spendCard(ctx, method.id);
  }
  if (intent.capture_method === 'manual') return reserve(ctx, intent, method);
  const charge = await chargeCard(ctx, intent, method);
  const paid = await ctx.stored.paymentIntents.put({
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
  });
  ctx.emit('charge.succeeded', charge);
  ctx.emit('payment_intent.succeeded', paid);
  return paid;
}

/** Reserves the money; it is taken by a capture. */
async function reserve(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  const charge = await authoriseCard(ctx, intent, method);
  const reserved = await ctx.stored.paymentIntents.put({
    ...intent,
    status: 'requires_capture',
    amount_capturable: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
  });
  ctx.emit('charge.succeeded', charge);
  ctx.emit('payment_intent.amount_capturable_updated', reserved);
  return reserved;
}

async function requireAction(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  const waiting = await ctx.stored.paymentIntents.put({
    ...intent,
    status: 'requires_action',
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'stripe_3ds2_fingerprint', server_transaction_id: newId('3ds') },
    },
  });
  ctx.emit('payment_intent.requires_action', waiting);
  return waiting;
}

async function startProcessing(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  const waiting = await ctx.stored.paymentIntents.put({
    ...intent,
    status: 'processing',
    processing: { type: 'card', card: {} },
  });
  ctx.emit('payment_intent.processing', waiting);
  ctx.finishLater(intent.id);
  return waiting;
}

async function declined(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: CardError,
): Promise<Refusal> {
  const charge = await refusedCharge(ctx, intent, method, error);
  ctx.emit('charge.failed', charge);
  const given = { type: 'card_error' as const, ...error, charge: charge.id, payment_method: method };
  const failed = await fail(ctx, { ...intent, latest_charge: charge.id }, given);
  return refusal(402, { ...given, payment_intent: failed });
}

async function fail(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
): Promise<Stripe.PaymentIntent> {
  const failed = await ctx.stored.paymentIntents.put({
    ...intent,
    status: 'requires_payment_method',
    last_payment_error: error,
    next_action: null,
    payment_method: null,
  });
  ctx.emit('payment_intent.payment_failed', failed);
  return failed;
}
