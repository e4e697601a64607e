import type Stripe from 'stripe';
import { z } from 'zod';
import { book, paidCharge } from './charges.ts';
import type { Api } from './http.ts';
import { newId, now } from './objects.ts';
import { missing, pageOf, pageParams, readParams } from './params.ts';
import type { Desk } from './webhooks.ts';

/** What a dispute costs whoever loses it or not, cents. */
const DISPUTE_FEE = 1_500;
/** Seconds to answer one. */
const TIME_TO_ANSWER = 7 * 86_400;

const listParams = z.strictObject({
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  ...pageParams,
});

/** What a cardholder's bank takes back. */
export function addDisputes(api: Api, { shelves }: Desk): void {
  api.get('/v1/disputes', async ({ input }) => {
    const { payment_intent, charge, ...page } = readParams(input, listParams);
    const disputes = (await shelves.disputes.list()).filter(
      (dispute) =>
        (payment_intent === undefined || dispute.payment_intent === payment_intent) &&
        (charge === undefined || dispute.charge === charge),
    );
    return pageOf(disputes, page, '/v1/disputes');
  });

  api.get('/v1/disputes/:id', async ({ id }) => {
    const dispute = await shelves.disputes.get(id);
    if (dispute === null) throw missing('dispute', id);
    return dispute;
  });
}

/** The cardholder says that they never bought this; the bank takes the money until it is decided. */
export async function makeDispute(desk: Desk, { id }: { id: string }): Promise<Stripe.Dispute> {
  const charge = await paidCharge(desk, id);
  await desk.shelves.charges.put({ ...charge, disputed: true });
  const dispute = disputeOf(charge, newId('du'));
  const booking = await book(desk, {
    type: 'adjustment',
    source: dispute.id,
    amount: -charge.amount,
    fee: DISPUTE_FEE,
    currency: charge.currency,
    description: `Chargeback withdrawal for ${charge.id}`,
  });
  const made = await desk.shelves.disputes.put({ ...dispute, balance_transactions: [booking] });
  await desk.webhooks.emit('charge.dispute.created', made);
  await desk.webhooks.emit('charge.dispute.funds_withdrawn', made);
  return made;
}

/** The bank decides; what is won comes back, without the fee. */
export async function endDispute(desk: Desk, id: string, status: 'won' | 'lost'): Promise<void> {
  const dispute = await desk.shelves.disputes.get(id);
  if (dispute === null) throw missing('dispute', id);
  const returned =
    status === 'lost'
      ? []
      : [
          await book(desk, {
            type: 'adjustment',
            source: id,
            amount: dispute.amount,
            currency: dispute.currency,
            description: 'Chargeback reversal',
          }),
        ];
  const closed = await desk.shelves.disputes.put({
    ...dispute,
    status,
    balance_transactions: [...dispute.balance_transactions, ...returned],
  });
  await desk.webhooks.emit('charge.dispute.closed', closed);
  if (status === 'won') await desk.webhooks.emit('charge.dispute.funds_reinstated', closed);
}

function disputeOf(charge: Stripe.Charge, id: string): Stripe.Dispute {
  return {
    id,
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: now() + TIME_TO_ANSWER,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
    },
    reason: 'fraudulent',
    status: 'needs_response',
  };
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
