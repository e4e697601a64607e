import type Stripe from 'stripe';
import { z } from 'zod';
import type { Api } from './http.ts';
import { newId, now, type Outcome } from './objects.ts';
import { invalid, metadataSchema, missing, readParams, StripeRefusal } from './params.ts';
import type { Desk } from './webhooks.ts';

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

interface TestCard {
  readonly outcome: Outcome;
  readonly brand: 'visa' | 'mastercard';
}

const visa = (outcome: Outcome): TestCard => ({ outcome, brand: 'visa' });

/** Stripe's own test numbers; 3006 is ours: Stripe has no card that is 'processing' for a while. */
const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': visa('success'),
  '4000000000000077': visa('success'),
  '5555555555554444': { outcome: 'success', brand: 'mastercard' },
  '4000000000000002': visa('declined'),
  '4000000000009995': visa('insufficient_funds'),
  '4000000000000069': visa('expired'),
  '4000000000000127': visa('wrong_cvc'),
  '4000000000000119': visa('processing_error'),
  '4000002500003155': visa('challenge'),
  '4000000000003220': visa('challenge'),
  '4000000000000259': visa('disputed'),
  '4000000000003006': visa('processing'),
};

export interface CardError {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
}

/** What the bank answers to a card that cannot pay, in Stripe's words. */
export const DECLINES: Readonly<Partial<Record<Outcome, CardError>>> = {
  declined: {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  wrong_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
};

export interface GivenCard {
  readonly number: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly cvc: string;
}

/** Finds a test card, or says what is wrong with it. A number that is nobody's test card is never taken. */
function readCard(card: GivenCard): TestCard | CardError {
  const number = card.number.replace(/[\s-]/g, '');
  const error = numberError(number) ?? expiryError(card) ?? cvcError(card);
  if (error) return error;
  return (
    TEST_CARDS[number] ?? {
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    }
  );
}

function isTestCard(card: TestCard | CardError): card is TestCard {
  return 'outcome' in card;
}

function numberError(number: string): CardError | null {
  if (!/^\d{12,19}$/.test(number)) {
    const message = 'The card number is not a valid credit card number.';
    return { code: 'invalid_number', param: 'number', message };
  }
  if (hasCheckDigit(number)) return null;
  return { code: 'incorrect_number', param: 'number', message: 'Your card number is incorrect.' };
}

function expiryError({ exp_month: month, exp_year: year }: GivenCard): CardError | null {
  const today = new Date();
  if (year < today.getFullYear() || year > today.getFullYear() + 50) {
    const message = "Your card's expiration year is invalid.";
    return { code: 'invalid_expiry_year', param: 'exp_year', message };
  }
  const isPast = year === today.getFullYear() && month < today.getMonth() + 1;
  if (month >= 1 && month <= 12 && !isPast) return null;
  const message = "Your card's expiration month is invalid.";
  return { code: 'invalid_expiry_month', param: 'exp_month', message };
}

function cvcError({ cvc }: GivenCard): CardError | null {
  if (/^\d{3,4}$/.test(cvc)) return null;
  return { code: 'invalid_cvc', param: 'cvc', message: "Your card's security code is invalid." };
}

/** Luhn's check digit. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
