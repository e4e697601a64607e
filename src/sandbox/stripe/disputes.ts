import type Stripe from 'stripe';
import { book } from './balance.ts';
import { paidCharge } from './charges.ts';
import { type Api, addList } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { invalid } from './params.ts';

/** Cents, charged whoever wins. */
const DISPUTE_FEE = 1_500;
const ANSWER_SECONDS = 7 * 86_400;

export function addDisputes(api: Api, ctx: StripeContext): void {
  const { disputes } = ctx.stored;
  addList(api, '/v1/disputes', disputes, ['payment_intent', 'charge']);
}

async function update(ctx: StripeContext, dispute: Stripe.Dispute): Promise<Stripe.Dispute> {
  const updated = await ctx.stored.disputes.put(dispute);
  ctx.emit('charge.dispute.updated', updated);
  return updated;
}

/** An inquiry only asks and takes no money; a prevented dispute returns it at once, without the fee. */
export type DisputeKind = 'chargeback' | 'inquiry' | 'prevented';

const FIRST_STATUS = {
  chargeback: 'needs_response',
  inquiry: 'warning_needs_response',
  prevented: 'prevented',
} as const;

/** The cardholder's bank claims fraud. @param amount cents, by default the whole charge */
export async function makeDispute(
  ctx: StripeContext,
  intentId: string,
  { kind = 'chargeback', amount }: { kind?: DisputeKind | undefined; amount?: number | undefined } = {},
): Promise<Stripe.Dispute> {
  const charge = await paidCharge(ctx, intentId);
  await ctx.stored.charges.put({ ...charge, disputed: true });
  const made = await ctx.stored.disputes.put({
    ...disputeOf(charge, newId('du')),
    amount: amount ?? charge.amount,
    status: FIRST_STATUS[kind],
    is_charge_refundable: kind === 'inquiry',
  });
  ctx.emit('charge.dispute.created', made);
  if (kind === 'inquiry') return made;
  return moveFunds(ctx, made, -made.amount, kind === 'chargeback' ? DISPUTE_FEE : 0);
}

/** The bank makes a chargeback of its inquiry. */
export async function escalateInquiry(ctx: StripeContext, id: string): Promise<Stripe.Dispute> {
  const dispute = await ctx.stored.disputes.find(id);
  if (!isInquiry(dispute)) throw invalid('This dispute is not an open inquiry.');
  const escalated = await update(ctx, { ...dispute, status: 'needs_response', is_charge_refundable: false });
  return moveFunds(ctx, escalated, -dispute.amount, DISPUTE_FEE);
}

/** A lost dispute may be appealed; `endDispute` then decides it once more. */
export async function appealDispute(ctx: StripeContext, id: string): Promise<Stripe.Dispute> {
  const dispute = await ctx.stored.disputes.find(id);
  if (dispute.status !== 'lost') throw invalid('Only a lost dispute can be appealed.');
  return update(ctx, { ...dispute, status: 'appeal_needs_response' });
}

export type DisputeEnd = 'won' | 'lost' | 'warning_closed';

/** Decides a dispute, also one that was decided the other way. A won one gives the money back, but not the fee. */
export async function endDispute(
  ctx: StripeContext,
  id: string,
  status: DisputeEnd,
): Promise<Stripe.Dispute> {
  const dispute = await ctx.stored.disputes.find(id);
  if ((status === 'warning_closed') !== isInquiry(dispute)) {
    throw invalid(`A dispute that is ${dispute.status} cannot become ${status}.`);
  }
  const closed = await ctx.stored.disputes.put({ ...dispute, status });
  ctx.emit('charge.dispute.closed', closed);
  const moved = dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
  const wanted = status === 'lost' ? -dispute.amount : 0;
  return moved === wanted ? closed : moveFunds(ctx, closed, wanted - moved);
}

const isInquiry = ({ status }: Stripe.Dispute) =>
  status.startsWith('warning_') && status !== 'warning_closed';

/** Withdraws the disputed money, or gives it back. @param amount cents, negative when it leaves our balance */
async function moveFunds(
  ctx: StripeContext,
  dispute: Stripe.Dispute,
  amount: number,
  fee = 0,
): Promise<Stripe.Dispute> {
  const isWithdrawal = amount < 0;
  const booking = await book(ctx, {
    category: isWithdrawal ? 'dispute' : 'dispute_reversal',
    source: dispute.id,
    amount,
    fee,
    currency: dispute.currency,
    description: isWithdrawal ? `Chargeback withdrawal for ${dispute.charge}` : 'Chargeback reversal',
  });
  const moved = await ctx.stored.disputes.put({
    ...dispute,
    balance_transactions: [...dispute.balance_transactions, booking],
  });
  ctx.emit(`charge.dispute.funds_${isWithdrawal ? 'withdrawn' : 'reinstated'}`, moved);
  return moved;
}

/** Whether all disputes of a charge leave it refundable. */
export async function isRefundable({ stored }: StripeContext, chargeId: string): Promise<boolean> {
  const disputes = (await stored.disputes.list()).filter(({ charge }) => charge === chargeId);
  return disputes.every(({ status, is_charge_refundable }) => is_charge_refundable || status === 'won');
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
