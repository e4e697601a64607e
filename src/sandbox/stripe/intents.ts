import type Stripe from 'stripe';
import { z } from 'zod';
import { baseCurrency, centsToDecimal } from '#contract/base/money.ts';
import { captureCharge } from './charges.ts';
import { confirmIntent, isOpen, unexpectedState } from './confirming.ts';
import { makeMethod } from './customers.ts';
import { type Api, addRead } from './http.ts';
import { newId, now, randomLetters, type StripeContext } from './objects.ts';
import { formFlag, formInteger, invalid, metadataSchema, readParams, unreadable } from './params.ts';

/** Stripe's minimum for a charge, in cents: 50, and 1000 in Mexico (https://docs.stripe.com/currencies). */
const minimumOf = (currency: string) => (currency === 'mxn' ? 1_000 : 50);

const usage = z.enum(['on_session', 'off_session', '']);

const createParams = z.strictObject({
  amount: formInteger,
  currency: z.string().regex(/^[a-z]{3}$/),
  allowed_payment_method_types: z.tuple([z.literal('card')]),
  capture_method: z.enum(['automatic_async', 'manual']).default('automatic_async'),
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
const captureParams = z.strictObject({});
const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
});

export function addIntents(api: Api, ctx: StripeContext): void {
  const { customers, paymentIntents, paymentMethods } = ctx.stored;

  api.post('/v1/payment_intents', async ({ input }) => {
    const params = readParams(input, createParams);
    if (params.amount < minimumOf(params.currency)) {
      throw unreadable(
        `Amount must be at least ${centsToDecimal(minimumOf(params.currency))} ${params.currency}`,
        { code: 'amount_too_small', param: 'amount' },
      );
    }
    if (params.customer !== undefined) await customers.find(params.customer, 'customer');
    const intent = await paymentIntents.put(intentOf(params));
    ctx.emit('payment_intent.created', intent);
    return intent;
  });

  addRead(api, '/v1/payment_intents', paymentIntents);

  api.post('/v1/payment_intents/:id', async ({ id, input }) => {
    const { metadata, setup_future_usage, ...params } = readParams(input, updateParams);
    const intent = await paymentIntents.find(id);
    if (!isOpen(intent)) throw unexpectedState(intent, 'update');
    if (params.customer !== undefined) await customers.find(params.customer, 'customer');
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
    const intent = await paymentIntents.find(id);
    if (!isOpen(intent)) throw unexpectedState(intent, 'confirm');
    if (payment_method === undefined) {
      throw invalid('You cannot confirm this PaymentIntent because it is missing a payment method.', {
        code: 'payment_intent_unexpected_state',
      });
    }
    return confirmIntent(ctx, intent, await paymentMethods.find(payment_method, 'payment_method'));
  });

  api.post('/v1/payment_intents/:id/cancel', async ({ id, input }) => {
    const { cancellation_reason = null } = readParams(input, cancelParams);
    const intent = await paymentIntents.find(id);
    if (!isOpen(intent) && intent.status !== 'requires_capture') throw unexpectedState(intent, 'cancel');
    const cancelled = await paymentIntents.put({
      ...intent,
      status: 'canceled',
      amount_capturable: 0,
      canceled_at: now(),
      cancellation_reason,
      next_action: null,
    });
    ctx.emit('payment_intent.canceled', cancelled);
    return cancelled;
  });

  api.post('/v1/payment_intents/:id/capture', async ({ id, input }) => {
    readParams(input, captureParams);
    const intent = await paymentIntents.find(id);
    if (intent.status !== 'requires_capture') throw unexpectedState(intent, 'capture');
    const charge = await captureCharge(ctx, await ctx.stored.charges.find(String(intent.latest_charge)));
    const captured = await paymentIntents.put({
      ...intent,
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: intent.amount,
    });
    ctx.emit('charge.captured', charge);
    ctx.emit('payment_intent.succeeded', captured);
    return captured;
  });
}

/** Somebody pays something else on the same account: ClipSwap has not asked for it. @returns the payment's id */
export async function payElsewhere(ctx: StripeContext, amount: number): Promise<string> {
  const intent = await ctx.stored.paymentIntents.put(
    intentOf({
      amount,
      currency: baseCurrency().toLowerCase(),
      allowed_payment_method_types: ['card'],
      capture_method: 'automatic_async',
      description: 'Invoice of another shop',
      metadata: {},
      setup_future_usage: '',
    }),
  );
  ctx.emit('payment_intent.created', intent);
  const year = new Date().getFullYear() + 5;
  const card = { number: '4242424242424242', exp_month: 12, exp_year: year, cvc: '123' };
  await confirmIntent(ctx, intent, await makeMethod(ctx, card));
  return intent.id;
}

function intentOf(params: z.infer<typeof createParams>): Stripe.PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: params.allowed_payment_method_types,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.capture_method,
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
