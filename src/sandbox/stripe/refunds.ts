import type Stripe from 'stripe';
import { z } from 'zod';
import { book } from './balance.ts';
import { paidCharge } from './charges.ts';
import { isRefundable } from './disputes.ts';
import { type Api, addList } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { formInteger, invalid, metadataSchema, readParams, unreadable } from './params.ts';

const createParams = z.strictObject({
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  amount: formInteger.pipe(z.number().positive()).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadataSchema.default({}),
});

export function addRefunds(api: Api, ctx: StripeContext): void {
  const { charges, refunds } = ctx.stored;

  api.post('/v1/refunds', async ({ input }) => {
    const { charge, payment_intent, ...params } = readParams(input, createParams);
    if (payment_intent !== undefined) {
      return refundCharge(ctx, await paidCharge(ctx, payment_intent), params);
    }
    if (charge === undefined) throw unreadable('One of the following params should be provided: charge.');
    return refundCharge(ctx, await charges.find(charge, 'charge'), params);
  });

  addList(api, '/v1/refunds', refunds, ['payment_intent', 'charge']);
}

export interface RefundOrder {
  /** Cents; by default all that is left. */
  readonly amount?: number | undefined;
  readonly reason?: Stripe.Refund['reason'] | undefined;
  readonly metadata?: Stripe.Metadata;
}

/** Gives back what is left of a charge, or a part of it. */
export async function refundCharge(
  ctx: StripeContext,
  charge: Stripe.Charge,
  order: RefundOrder,
): Promise<Stripe.Refund> {
  const { stored } = ctx;
  const left = charge.amount - charge.amount_refunded;
  if (charge.disputed && !(await isRefundable(ctx, charge.id))) throw chargedBack(charge.id);
  if (left === 0) throw alreadyRefunded(charge.id);
  const amount = order.amount ?? left;
  if (amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    });
  }
  const refund = await makeRefund(ctx, charge, { ...order, amount });
  const refunded = await stored.charges.put({
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  ctx.emit('refund.created', refund);
  ctx.emit('charge.refunded', refunded);
  ctx.emit('refund.updated', refund);
  await ctx.settleRefundLater(refund);
  return refund;
}

async function makeRefund(
  ctx: StripeContext,
  charge: Stripe.Charge,
  { amount, metadata = {}, reason = null }: RefundOrder & { amount: number },
): Promise<Stripe.Refund> {
  const id = newId('re');
  const { currency } = charge;
  const description = 'REFUND FOR CHARGE';
  const booking = await book(ctx, { category: 'refund', source: id, amount: -amount, currency, description });
  const isPending = (await refundOutcome(ctx, charge.payment_method)) === 'succeeded';
  return ctx.stored.refunds.put({
    id,
    object: 'refund',
    amount,
    balance_transaction: booking.id,
    charge: charge.id,
    created: now(),
    currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { type: 'card', card: { type: isPending ? 'pending' : 'refund' } },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(isPending && { pending_reason: 'processing' }),
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isPending ? 'pending' : 'succeeded',
    transfer_reversal: null,
  });
}

/** What becomes of a card's refunds after a while. Null: nothing more, they succeed at once. */
export async function refundOutcome(
  { stored }: StripeContext,
  method: Stripe.Refund['payment_method'],
): Promise<'succeeded' | 'failed' | null> {
  const card = await stored.cards.get(String(method));
  if (card?.outcome === 'refund_pending') return 'succeeded';
  return card?.outcome === 'refund_fails' ? 'failed' : null;
}

/** A pending refund reaches the cardholder; or the bank sends a refund back, even one that had succeeded. */
export async function settleRefund(
  ctx: StripeContext,
  id: string,
  outcome: 'succeeded' | 'failed',
): Promise<void> {
  const refund = await ctx.stored.refunds.find(id);
  if (refund.status === 'failed' || refund.status === outcome) return;
  const { pending_reason: _, ...settled } = refund;
  if (outcome === 'succeeded') {
    const done = await ctx.stored.refunds.put({ ...settled, status: outcome });
    ctx.emit('refund.updated', done);
    ctx.emit('charge.refund.updated', done);
  } else {
    await failRefund(ctx, settled);
  }
}

/** The money comes back to our balance, and the charge can be refunded again. */
async function failRefund(ctx: StripeContext, refund: Stripe.Refund): Promise<void> {
  const { stored } = ctx;
  const { amount, currency } = refund;
  const returned = await book(ctx, {
    category: 'refund_failure',
    source: refund.id,
    amount,
    currency,
    description: 'REFUND FAILURE',
  });
  const failed = await stored.refunds.put({
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: returned.id,
  });
  const charge = await stored.charges.find(String(refund.charge));
  await stored.charges.put({
    ...charge,
    amount_refunded: charge.amount_refunded - amount,
    refunded: false,
  });
  ctx.emit('refund.updated', failed);
  ctx.emit('charge.refund.updated', failed);
  ctx.emit('refund.failed', failed);
}

function alreadyRefunded(id: string) {
  return invalid(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' });
}

function chargedBack(id: string) {
  return invalid(`Charge ${id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
}
