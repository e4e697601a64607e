import type Stripe from 'stripe';
import { book } from './balance.ts';
import { paidCharge } from './charges.ts';
import { type Api, addList, addRead } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';

/** Cents, charged whoever wins. */
const DISPUTE_FEE = 1_500;
const ANSWER_SECONDS = 7 * 86_400;

export function addDisputes(api: Api, { stored }: StripeContext): void {
  addList(api, '/v1/disputes', stored.disputes, ['payment_intent', 'charge']);
  addRead(api, '/v1/disputes', stored.disputes);
}

/** The cardholder's bank claims fraud and withdraws the money until the dispute is decided. */
export async function makeDispute(ctx: StripeContext, intentId: string): Promise<Stripe.Dispute> {
  const charge = await paidCharge(ctx, intentId);
  await ctx.stored.charges.put({ ...charge, disputed: true });
  const dispute = disputeOf(charge, newId('du'));
  const booking = await book(ctx, {
    category: 'dispute',
    source: dispute.id,
    amount: -charge.amount,
    fee: DISPUTE_FEE,
    currency: charge.currency,
    description: `Chargeback withdrawal for ${charge.id}`,
  });
  const made = await ctx.stored.disputes.put({ ...dispute, balance_transactions: [booking] });
  await ctx.emit('charge.dispute.created', made);
  await ctx.emit('charge.dispute.funds_withdrawn', made);
  return made;
}

/** A dispute that is won gives the money back, but not the fee. */
export async function endDispute(ctx: StripeContext, id: string, status: 'won' | 'lost'): Promise<void> {
  const dispute = await ctx.stored.disputes.find(id);
  const returned =
    status === 'lost'
      ? []
      : [
          await book(ctx, {
            category: 'dispute_reversal',
            source: id,
            amount: dispute.amount,
            currency: dispute.currency,
            description: 'Chargeback reversal',
          }),
        ];
  const closed = await ctx.stored.disputes.put({
    ...dispute,
    status,
    balance_transactions: [...dispute.balance_transactions, ...returned],
  });
  await ctx.emit('charge.dispute.closed', closed);
  if (status === 'won') await ctx.emit('charge.dispute.funds_reinstated', closed);
}

/** Whether all disputes of a charge leave it refundable. */
export async function isRefundable({ stored }: StripeContext, chargeId: string): Promise<boolean> {
  const disputes = (await stored.disputes.list()).filter(({ charge }) => charge === chargeId);
  return disputes.every(({ status }) => status === 'won');
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
      due_by: now() + ANSWER_SECONDS,
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
