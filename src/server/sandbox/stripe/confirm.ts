import type Stripe from 'stripe';
import { type CardError, DECLINES } from './cards.ts';
import { chargeCard, refusedCharge } from './charges.ts';
import { attachMethod, outcomeOf, spendCard } from './customers.ts';
import type { Desk } from './desk.ts';
import { makeDispute } from './disputes.ts';
import { invalid, StripeRefusal } from './errors.ts';
import { newId } from './objects.ts';

/** Whether the buyer can still pay it. */
export function isOpen({ status }: Stripe.PaymentIntent): boolean {
  return (
    status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action'
  );
}

/**
 * Tries to pay with a card.
 * @returns the payment intent as it is then: succeeded, processing, or waiting for the bank
 * @throws StripeRefusal card_error when the bank declines
 */
export async function confirmIntent(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalid(
      'The provided PaymentMethod belongs to a Customer. Please include the Customer in the `customer` parameter on the PaymentIntent.',
      { param: 'payment_method' },
    );
  }
  const outcome = await outcomeOf(desk, method.id);
  const decline = DECLINES[outcome];
  if (decline) throw await declined(desk, intent, method, decline);
  const tried = { ...intent, payment_method: method.id, last_payment_error: null };
  if (outcome === 'challenge') return askTheBank(desk, tried);
  if (outcome === 'processing') return wait(desk, tried);
  const paid = await succeed(desk, tried, method);
  if (outcome === 'disputed') await makeDispute(desk, paid);
  return paid;
}

/** The buyer comes back from the bank. */
export async function answerChallenge(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  hasPassed: boolean,
): Promise<Stripe.PaymentIntent> {
  if (hasPassed) return succeed(desk, { ...intent, next_action: null }, method);
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  return fail(desk, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message,
    payment_method: method,
  });
}

/** Takes the money, and keeps the card where the buyer has asked for it. */
export async function succeed(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  const { customer, setup_future_usage: usage } = intent;
  if (method.customer === null) {
    if (typeof customer === 'string' && usage !== null) await attachMethod(desk, method, customer);
    else await spendCard(desk, method.id);
  }
  const charge = await chargeCard(desk, intent, method);
  const paid = await desk.shelves.paymentIntents.put({
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
  });
  await desk.webhooks.emit('charge.succeeded', charge);
  await desk.webhooks.emit('payment_intent.succeeded', paid);
  return paid;
}

async function askTheBank(desk: Desk, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const waiting = await desk.shelves.paymentIntents.put({
    ...intent,
    status: 'requires_action',
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'stripe_3ds2_fingerprint', server_transaction_id: newId('3ds') },
    },
  });
  await desk.webhooks.emit('payment_intent.requires_action', waiting);
  return waiting;
}

async function wait(desk: Desk, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const waiting = await desk.shelves.paymentIntents.put({
    ...intent,
    status: 'processing',
    processing: { type: 'card', card: {} },
  });
  await desk.webhooks.emit('payment_intent.processing', waiting);
  desk.finishLater(intent.id);
  return waiting;
}

async function declined(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: CardError,
): Promise<StripeRefusal> {
  const charge = await refusedCharge(desk, intent, method, error);
  await desk.webhooks.emit('charge.failed', charge);
  const given = { type: 'card_error' as const, ...error, charge: charge.id, payment_method: method };
  const failed = await fail(desk, { ...intent, latest_charge: charge.id }, given);
  return new StripeRefusal(402, { ...given, payment_intent: failed });
}

async function fail(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
): Promise<Stripe.PaymentIntent> {
  const failed = await desk.shelves.paymentIntents.put({
    ...intent,
    status: 'requires_payment_method',
    last_payment_error: error,
    next_action: null,
    payment_method: null,
  });
  await desk.webhooks.emit('payment_intent.payment_failed', failed);
  return failed;
}
