import type Stripe from 'stripe';
import { z } from 'zod';
import type { Refusal } from '#sandbox/server.ts';
import { type GivenCard, isTestCard, readCard } from './cards.ts';
import { type Api, addRead } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { invalid, metadataSchema, readParams, refusal } from './params.ts';

const createParams = z.strictObject({
  email: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
});
const noParams = z.strictObject({});

export function addCustomers(api: Api, ctx: StripeContext): void {
  const { customers, paymentMethods } = ctx.stored;

  api.post('/v1/customers', ({ input }) => {
    const { email = null, name = null, description = null, metadata } = readParams(input, createParams);
    return customers.put({
      id: newId('cus').slice(0, 18),
      object: 'customer',
      address: null,
      balance: 0,
      created: now(),
      currency: null,
      customer_account: null,
      default_source: null,
      delinquent: false,
      description,
      email,
      invoice_prefix: newId('').slice(-8).toUpperCase(),
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata,
      name,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    });
  });

  addRead(api, '/v1/payment_methods', paymentMethods);

  api.post('/v1/payment_methods/:id/detach', async ({ id, input }) => {
    readParams(input, noParams);
    const method = await paymentMethods.find(id, 'payment_method');
    if (method.customer === null) {
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
        { code: 'payment_method_unexpected_state', param: 'payment_method' },
      );
    }
    await spendCard(ctx, id);
    const detached = await paymentMethods.put({ ...method, customer: null });
    ctx.emit('payment_method.detached', detached);
    return detached;
  });
}

export async function attachMethod(ctx: StripeContext, method: Stripe.PaymentMethod, customer: string) {
  if (method.customer === customer) return method;
  const card = await ctx.stored.cards.get(method.id);
  if (card?.isSpent) throw spent();
  const attached = await ctx.stored.paymentMethods.put({ ...method, customer });
  ctx.emit('payment_method.attached', attached);
  return attached;
}

/** What happens when this card pays. @throws Refusal when it cannot be used any more */
export async function outcomeOf(ctx: StripeContext, methodId: string) {
  const card = await ctx.stored.cards.get(methodId);
  if (card === null || card.isSpent) throw spent();
  return card.outcome;
}

/** From now on the card cannot be used. */
export async function spendCard({ stored }: StripeContext, methodId: string): Promise<void> {
  const card = await stored.cards.get(methodId);
  if (card) await stored.cards.put({ ...card, isSpent: true });
}

/**
 * Makes a payment method from what a buyer typed. Only the last four digits are stored.
 * @throws Refusal card_error
 */
export async function makeMethod({ stored }: StripeContext, given: GivenCard): Promise<Stripe.PaymentMethod> {
  const card = readCard(given);
  if (!isTestCard(card)) throw refusal(402, { type: 'card_error', ...card });
  const method = methodOf(given, card.brand);
  await stored.cards.put({ id: method.id, outcome: card.outcome, isSpent: false });
  return stored.paymentMethods.put(method);
}

function methodOf({ number, exp_month, exp_year }: GivenCard, brand: string): Stripe.PaymentMethod {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month,
      exp_year,
      fingerprint: newId('').slice(-16),
      funding: 'credit',
      generated_from: null,
      last4: number.replace(/\D/g, '').slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}

function spent(): Refusal {
  return invalid(
    'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    { param: 'payment_method' },
  );
}
