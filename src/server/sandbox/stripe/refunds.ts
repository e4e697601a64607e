import type Stripe from 'stripe';
import { z } from 'zod';
import { book, paidCharge } from './charges.ts';
import { type Api, addList, addRead } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { formInteger, invalid, metadataSchema, readParams } from './params.ts';

const createParams = z.strictObject({
  payment_intent: z.string(),
  amount: formInteger.pipe(z.number().positive()).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadataSchema.default({}),
});
export function addRefunds(api: Api, ctx: StripeContext): void {
  const { stored } = ctx;

  api.post('/v1/refunds', async ({ input }) => {
    const params = readParams(input, createParams);
    const charge = await paidCharge(ctx, params.payment_intent);
    const left = charge.amount - charge.amount_refunded;
    if (charge.disputed && !(await isWon(ctx, charge.id))) throw chargedBack(charge.id);
    if (left === 0) throw alreadyRefunded(charge.id);
    const amount = params.amount ?? left;
    if (amount > left) {
      throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      });
    }
    const refund = await makeRefund(ctx, charge, { ...params, amount });
    const refunded = await stored.charges.put({
      ...charge,
      amount_refunded: charge.amount_refunded + amount,
      refunded: amount === left,
    });
    await ctx.emit('refund.created', refund);
    await ctx.emit('charge.refunded', refunded);
    await ctx.emit('refund.updated', refund);
    return refund;
  });

  addList(api, '/v1/refunds', stored.refunds, ['payment_intent', 'charge']);
  addRead(api, '/v1/refunds', stored.refunds);
}

async function makeRefund(
  ctx: StripeContext,
  charge: Stripe.Charge,
  params: z.infer<typeof createParams> & { amount: number },
): Promise<Stripe.Refund> {
  const id = newId('re');
  const { amount, metadata, reason = null } = params;
  const { currency } = charge;
  const booking = await book(ctx, {
    type: 'refund',
    source: id,
    amount: -amount,
    currency,
    description: 'REFUND FOR CHARGE',
  });
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

async function isWon({ stored }: StripeContext, chargeId: string): Promise<boolean> {
  const disputes = (await stored.disputes.list()).filter(({ charge }) => charge === chargeId);
  return disputes.every(({ status }) => status === 'won');
}

function alreadyRefunded(id: string) {
  return invalid(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' });
}

function chargedBack(id: string) {
  return invalid(`Charge ${id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
}
