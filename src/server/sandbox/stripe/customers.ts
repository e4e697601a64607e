import type Stripe from 'stripe';
import { z } from 'zod';
import { type GivenCard, isTestCard, readCard } from './cards.ts';
import type { Desk } from './desk.ts';
import { invalid, missing, StripeRefusal } from './errors.ts';
import type { Api } from './http.ts';
import { newId, now } from './objects.ts';
import { metadataSchema, readParams } from './params.ts';

const createParams = z.strictObject({
  email: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
});
const attachParams = z.strictObject({ customer: z.string() });
const noParams = z.strictObject({});

/** Customers, and the cards that are kept for them. */
export function addCustomers(api: Api, desk: Desk): void {
  const { customers } = desk.shelves;

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

  api.get('/v1/customers/:id', ({ id }) => findCustomer(desk, id, 'id'));
  api.get('/v1/payment_methods/:id', ({ id }) => findMethod(desk, id, 'id'));

  api.post('/v1/payment_methods/:id/attach', async ({ id, input }) => {
    const { customer } = readParams(input, attachParams);
    await findCustomer(desk, customer, 'customer');
    return attachMethod(desk, await findMethod(desk, id, 'payment_method'), customer);
  });

  api.post('/v1/payment_methods/:id/detach', async ({ id, input }) => {
    readParams(input, noParams);
    const method = await findMethod(desk, id, 'payment_method');
    if (method.customer === null) {
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
        { code: 'payment_method_unexpected_state', param: 'payment_method' },
      );
    }
    await spendCard(desk, id);
    const detached = await desk.shelves.paymentMethods.put({ ...method, customer: null });
    await desk.webhooks.emit('payment_method.detached', detached);
    return detached;
  });
}

/** @throws StripeRefusal resource_missing */
export async function findCustomer(desk: Desk, id: string, param: string): Promise<Stripe.Customer> {
  const customer = await desk.shelves.customers.get(id);
  if (customer === null) throw missing('customer', id, param);
  return customer;
}

/** @throws StripeRefusal resource_missing */
export async function findMethod(desk: Desk, id: string, param: string): Promise<Stripe.PaymentMethod> {
  const method = await desk.shelves.paymentMethods.get(id);
  if (method === null) throw missing('PaymentMethod', id, param);
  return method;
}

/** Keeps a card for a customer. */
export async function attachMethod(desk: Desk, method: Stripe.PaymentMethod, customer: string) {
  if (method.customer === customer) return method;
  const card = await desk.shelves.cards.get(method.id);
  if (card?.isSpent) throw spent();
  const attached = await desk.shelves.paymentMethods.put({ ...method, customer });
  await desk.webhooks.emit('payment_method.attached', attached);
  return attached;
}

/** What the card will do when it pays. @throws StripeRefusal when it is used up */
export async function outcomeOf(desk: Desk, methodId: string) {
  const card = await desk.shelves.cards.get(methodId);
  if (card === null || card.isSpent) throw spent();
  return card.outcome;
}

/** From now on the card pays nothing. */
export async function spendCard({ shelves }: Desk, methodId: string): Promise<void> {
  const card = await shelves.cards.get(methodId);
  if (card) await shelves.cards.put({ ...card, isSpent: true });
}

/**
 * Makes a payment method of what a buyer has typed. Of the number only the last four stay.
 * @throws StripeRefusal card_error
 */
export async function makeMethod({ shelves }: Desk, given: GivenCard): Promise<Stripe.PaymentMethod> {
  const card = readCard(given);
  if (!isTestCard(card)) throw new StripeRefusal(402, { type: 'card_error', ...card });
  const method = methodOf(given, card.brand);
  await shelves.cards.put({ id: method.id, outcome: card.outcome, isSpent: false });
  return shelves.paymentMethods.put(method);
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

function spent(): StripeRefusal {
  return invalid(
    'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    { param: 'payment_method' },
  );
}
