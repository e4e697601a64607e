import type Stripe from 'stripe';
import { z } from 'zod';
import { book } from './charges.ts';
import type { Desk } from './desk.ts';
import { invalid, missing } from './errors.ts';
import type { Api } from './http.ts';
import { pageOf } from './lists.ts';
import { newId, now } from './objects.ts';
import { formInteger, metadataSchema, pageParams, readParams } from './params.ts';

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
