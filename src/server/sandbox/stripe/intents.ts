import type Stripe from 'stripe';
import { z } from 'zod';
import { chargeCard, refusedCharge } from './charges.ts';
import {
  attachMethod,
  type CardError,
  DECLINES,
  findCustomer,
  findMethod,
  outcomeOf,
  spendCard,
} from './customers.ts';
import { makeDispute } from './disputes.ts';
import type { Api } from './http.ts';
import { newId, now, randomLetters } from './objects.ts';
import {
  formFlag,
  formInteger,
  invalid,
  metadataSchema,
  missing,
  readParams,
  StripeRefusal,
  UnreadableRequest,
} from './params.ts';
import type { Desk } from './webhooks.ts';

/** Stripe's least charge in Canadian dollars, cents. */
const LEAST = 50;

const usage = z.enum(['on_session', 'off_session', '']);

const createParams = z.strictObject({
  amount: formInteger,
  currency: z.literal('cad'),
  automatic_payment_methods: z.strictObject({
    enabled: formFlag,
    allow_redirects: z.enum(['always', 'never']).default('always'),
  }),
  customer: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
  setup_future_usage: usage.default(''),
  transfer_group: z.string().optional(),
});
const updateParams = z.strictObject({
  customer: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataSchema.optional(),
  setup_future_usage: usage.optional(),
});
const confirmParams = z.strictObject({
  payment_method: z.string().optional(),
  use_stripe_sdk: formFlag.optional(),
  return_url: z.url().optional(),
});
const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
});

/** Payment intents: what a buyer is to be charged, from the asking to the end. */
export function addIntents(api: Api, desk: Desk): void {
  const { paymentIntents } = desk.shelves;

  api.post('/v1/payment_intents', async ({ input }) => {
    const params = readParams(input, createParams);
    if (params.amount < LEAST) throw tooSmall();
    if (params.customer !== undefined) await findCustomer(desk, params.customer, 'customer');
    const intent = await paymentIntents.put(intentOf(params));
    await desk.webhooks.emit('payment_intent.created', intent);
    return intent;
  });

  api.get('/v1/payment_intents/:id', ({ id }) => findIntent(desk, id));

  api.post('/v1/payment_intents/:id', async ({ id, input }) => {
    const { metadata, setup_future_usage, ...params } = readParams(input, updateParams);
    const intent = await findIntent(desk, id);
    if (!isOpen(intent)) throw unexpectedState(intent, 'update');
    if (params.customer !== undefined) await findCustomer(desk, params.customer, 'customer');
    return paymentIntents.put({
      ...intent,
      ...params,
      metadata: { ...intent.metadata, ...metadata },
      setup_future_usage:
        setup_future_usage === undefined ? intent.setup_future_usage : setup_future_usage || null,
    });
  });

  api.post('/v1/payment_intents/:id/confirm', async ({ id, input }) => {
    const { payment_method } = readParams(input, confirmParams);
    const intent = await findIntent(desk, id);
    if (!isOpen(intent)) throw unexpectedState(intent, 'confirm');
    if (payment_method === undefined) {
      throw invalid('You cannot confirm this PaymentIntent because it is missing a payment method.', {
        code: 'payment_intent_unexpected_state',
      });
    }
    return confirmIntent(desk, intent, await findMethod(desk, payment_method, 'payment_method'));
  });

  api.post('/v1/payment_intents/:id/cancel', async ({ id, input }) => {
    const { cancellation_reason = null } = readParams(input, cancelParams);
    const intent = await findIntent(desk, id);
    if (!isOpen(intent)) throw unexpectedState(intent, 'cancel');
    const cancelled = await paymentIntents.put({
      ...intent,
      status: 'canceled',
      canceled_at: now(),
      cancellation_reason,
      next_action: null,
    });
    await desk.webhooks.emit('payment_intent.canceled', cancelled);
    return cancelled;
  });
}

/** @throws StripeRefusal resource_missing */
export async function findIntent(desk: Desk, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await desk.shelves.paymentIntents.get(id);
  if (intent === null) throw missing('payment_intent', id, 'intent');
  return intent;
}

export function unexpectedState({ status }: Stripe.PaymentIntent, act: string) {
  return invalid(`You cannot ${act} this PaymentIntent because it has a status of ${status}.`, {
    code: 'payment_intent_unexpected_state',
  });
}

function tooSmall(): UnreadableRequest {
  const message = 'Amount must be at least $0.50 cad';
  return new UnreadableRequest(400, {
    type: 'invalid_request_error',
    code: 'amount_too_small',
    message,
    param: 'amount',
  });
}

function intentOf(params: z.infer<typeof createParams>): Stripe.PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: params.automatic_payment_methods,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomLetters(25)}`,
    confirmation_method: 'automatic',
    created: now(),
    currency: params.currency,
    customer: params.customer ?? null,
    customer_account: null,
    description: params.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: params.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: params.setup_future_usage || null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: params.transfer_group ?? null,
  };
}

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
