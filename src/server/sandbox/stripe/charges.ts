import type Stripe from 'stripe';
import { z } from 'zod';
import type { CardError } from './customers.ts';
import type { Api } from './http.ts';
import { newId, now } from './objects.ts';
import { formInteger, invalid, metadataSchema, missing, pageOf, pageParams, readParams } from './params.ts';
import type { Desk } from './webhooks.ts';

/** Charges and the bookings that belong to them, to be read. */
export function addCharges(api: Api, { shelves }: Desk): void {
  api.get('/v1/charges/:id', async ({ id }) => {
    const charge = await shelves.charges.get(id);
    if (charge === null) throw missing('charge', id);
    return charge;
  });
  api.get('/v1/balance_transactions/:id', async ({ id }) => {
    const booking = await shelves.balanceTransactions.get(id);
    if (booking === null) throw missing('balance transaction', id);
    return booking;
  });
}

/** Takes the money. */
export async function chargeCard(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.Charge> {
  const charge = chargeOf(intent, method);
  const fee = stripeFee(intent.amount);
  const booking = await book(desk, {
    type: 'charge',
    source: charge.id,
    amount: intent.amount,
    fee,
    currency: intent.currency,
    description: intent.description,
  });
  return desk.shelves.charges.put({ ...charge, balance_transaction: booking.id });
}

/** A try that the bank has refused leaves a charge too: one that has taken nothing. */
export async function refusedCharge(
  desk: Desk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: CardError,
): Promise<Stripe.Charge> {
  const charge = chargeOf(intent, method);
  return desk.shelves.charges.put({
    ...charge,
    amount_captured: 0,
    captured: false,
    failure_code: error.code,
    failure_message: error.message,
    outcome: {
      advice_code: 'try_again_later',
      network_advice_code: null,
      network_decline_code: '05',
      network_status: 'declined_by_network',
      reason: error.decline_code ?? null,
      risk_level: 'normal',
      seller_message: 'The bank declined the payment.',
      type: 'issuer_declined',
    },
    paid: false,
    status: 'failed',
  });
}

interface Booking {
  readonly type: 'charge' | 'refund' | 'transfer' | 'transfer_refund' | 'adjustment';
  readonly source: string;
  /** Negative when it leaves the balance. */
  readonly amount: number;
  readonly fee?: number;
  readonly currency: string;
  readonly description: string | null;
}

/** Writes a movement of ClipSwap's own balance. */
export function book({ shelves }: Desk, booking: Booking): Promise<Stripe.BalanceTransaction> {
  const { type, source, amount, fee = 0, currency, description } = booking;
  const details = { amount: fee, application: null, currency, description: 'Stripe processing fees' };
  return shelves.balanceTransactions.put({
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now(),
    balance_type: 'payments',
    created: now(),
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ ...details, type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: type === 'adjustment' ? 'dispute' : type,
    source,
    status: 'available',
    type,
  });
}

/** 2.9 % and 30 cents, the half cent up; in whole cents. */
function stripeFee(amount: number): number {
  return Math.floor((amount * 29 + 500) / 1_000) + 30;
}

function chargeOf(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Stripe.Charge {
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'CLIPSWAP',
    captured: true,
    created: now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: cardDetails(intent.amount, method.card) },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

function cardDetails(
  amount: number,
  card: Stripe.PaymentMethod.Card | undefined,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 1,
    exp_year: card?.exp_year ?? 2000,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

const createParams = z.strictObject({
  payment_intent: z.string(),
  amount: formInteger.pipe(z.number().positive()).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadataSchema.default({}),
});
const listParams = z.strictObject({
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  ...pageParams,
});

/** Money that goes back to a buyer. */
export function addRefunds(api: Api, desk: Desk): void {
  const { shelves, webhooks } = desk;

  api.post('/v1/refunds', async ({ input }) => {
    const params = readParams(input, createParams);
    const charge = await paidCharge(desk, params.payment_intent);
    const left = charge.amount - charge.amount_refunded;
    if (charge.disputed && !(await isWon(desk, charge.id))) throw chargedBack(charge.id);
    if (left === 0) throw alreadyRefunded(charge.id);
    const amount = params.amount ?? left;
    if (amount > left) {
      throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      });
    }
    const refund = await makeRefund(desk, charge, { ...params, amount });
    const refunded = await shelves.charges.put({
      ...charge,
      amount_refunded: charge.amount_refunded + amount,
      refunded: amount === left,
    });
    await webhooks.emit('refund.created', refund);
    await webhooks.emit('charge.refunded', refunded);
    await webhooks.emit('refund.updated', refund);
    return refund;
  });

  api.get('/v1/refunds', async ({ input }) => {
    const { payment_intent, charge, ...page } = readParams(input, listParams);
    const refunds = (await shelves.refunds.list()).filter(
      (refund) =>
        (payment_intent === undefined || refund.payment_intent === payment_intent) &&
        (charge === undefined || refund.charge === charge),
    );
    return pageOf(refunds, page, '/v1/refunds');
  });

  api.get('/v1/refunds/:id', async ({ id }) => {
    const refund = await shelves.refunds.get(id);
    if (refund === null) throw missing('refund', id);
    return refund;
  });
}

/** The charge that has paid this intent. @throws StripeRefusal */
export async function paidCharge({ shelves }: Desk, intentId: string): Promise<Stripe.Charge> {
  const intent = await shelves.paymentIntents.get(intentId);
  if (intent === null) throw missing('payment_intent', intentId, 'payment_intent');
  const charge =
    typeof intent.latest_charge === 'string' ? await shelves.charges.get(intent.latest_charge) : null;
  if (charge?.paid) return charge;
  throw invalid(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  });
}

async function makeRefund(
  desk: Desk,
  charge: Stripe.Charge,
  params: z.infer<typeof createParams> & { amount: number },
): Promise<Stripe.Refund> {
  const id = newId('re');
  const { amount, metadata, reason = null } = params;
  const { currency } = charge;
  const booking = await book(desk, {
    type: 'refund',
    source: id,
    amount: -amount,
    currency,
    description: 'REFUND FOR CHARGE',
  });
  return desk.shelves.refunds.put({
    id,
    object: 'refund',
    amount,
    balance_transaction: booking.id,
    charge: charge.id,
    created: now(),
    currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { type: 'card', card: { type: 'refund' } },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
}

async function isWon({ shelves }: Desk, chargeId: string): Promise<boolean> {
  const disputes = (await shelves.disputes.list()).filter(({ charge }) => charge === chargeId);
  return disputes.every(({ status }) => status === 'won');
}

function alreadyRefunded(id: string) {
  return invalid(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' });
}

function chargedBack(id: string) {
  return invalid(`Charge ${id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
}
