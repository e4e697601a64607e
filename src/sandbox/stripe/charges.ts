import type Stripe from 'stripe';
import { book } from './balance.ts';
import type { CardError } from './cards.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { invalid } from './params.ts';

/** Takes the money for an intent, and Stripe's fee. */
export async function chargeCard(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.Charge> {
  return captureCharge(ctx, chargeOf(intent, method));
}

/** Reserves the money of an intent that is captured by hand: nothing is booked. */
export function authoriseCard(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.Charge> {
  return ctx.stored.charges.put({ ...chargeOf(intent, method), amount_captured: 0, captured: false });
}

/** Takes the money of a charge, and Stripe's fee. */
export async function captureCharge(ctx: StripeContext, charge: Stripe.Charge): Promise<Stripe.Charge> {
  const { id, amount, currency, description } = charge;
  const fee = stripeFee(amount);
  const booking = await book(ctx, { category: 'charge', source: id, amount, fee, currency, description });
  return ctx.stored.charges.put({
    ...charge,
    amount_captured: amount,
    captured: true,
    balance_transaction: booking.id,
  });
}

/** A declined attempt is stored as a failed charge. */
export async function refusedCharge(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: CardError,
): Promise<Stripe.Charge> {
  const charge = chargeOf(intent, method);
  return ctx.stored.charges.put({
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

/** 2.9 % + 30 cents, in cents; half a cent is rounded up. */
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

/** The charge that paid this intent. @throws Refusal when there is none */
export async function paidCharge({ stored }: StripeContext, intentId: string): Promise<Stripe.Charge> {
  const intent = await stored.paymentIntents.find(intentId, 'payment_intent');
  const charge =
    intent.latest_charge === null ? null : await stored.charges.get(String(intent.latest_charge));
  if (charge?.paid) return charge;
  throw invalid(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  });
}
