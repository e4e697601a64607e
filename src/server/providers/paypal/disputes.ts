import type { Cents } from '#contract/base/money.ts';
import { earliest } from '#server/core/clock.ts';
import { isRefusal } from '../payments.ts';
import type { PaypalClient } from './client.ts';
import { disputeSchema, disputesSchema } from './schemas.ts';

/** Outcomes of a dispute in which the seller loses the money. */
const LOST_OUTCOMES = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

/**
 * What disputes over a capture have taken from the seller for good, whether one is open, and when an answer is due. PayPal holds back the
 * money of an open dispute by itself.
 * @param receiver the seller on whose behalf we ask
 */
export async function readDisputes(
  ask: PaypalClient,
  captureId: string,
  receiver: string | null,
): Promise<{ withdrawn: Cents; isDisputed: boolean; evidenceDueAt: Date | null }> {
  const asSeller = receiver === null ? {} : { onBehalfOf: receiver };
  const query = `disputed_transaction_id=${encodeURIComponent(captureId)}`;
  let withdrawn = 0;
  let isDisputed = false;
  const due: Date[] = [];
  for (const id of await listDisputes(ask, query, asSeller)) {
    const path = `/v1/customer/disputes/${encodeURIComponent(id)}`;
    const dispute = await ask({ method: 'GET', path, ...asSeller }, disputeSchema);
    const { seller_response_due_date: dueAt } = dispute;
    if (dueAt !== undefined && dispute.status === 'WAITING_FOR_SELLER_RESPONSE') due.push(new Date(dueAt));
    if (dispute.status !== 'RESOLVED') isDisputed = true;
    else if (LOST_OUTCOMES.includes(dispute.dispute_outcome?.outcome_code ?? '')) {
      withdrawn += (dispute.dispute_outcome?.amount_refunded ?? dispute.dispute_amount).cents;
    }
  }
  return { withdrawn, isDisputed, evidenceDueAt: earliest(due) };
}

async function listDisputes(
  ask: PaypalClient,
  query: string,
  asSeller: { onBehalfOf?: string },
): Promise<string[]> {
  try {
    const path = `/v1/customer/disputes?${query}`;
    const { items } = await ask({ method: 'GET', path, ...asSeller }, disputesSchema);
    return items.map(({ dispute_id }) => dispute_id);
  } catch (error) {
    // A seller who has not granted access to disputes must not block the settlement of a payment.
    if (isRefusal(error, 'NOT_AUTHORIZED', 'PERMISSION_DENIED', 'RESOURCE_NOT_FOUND')) return [];
    throw error;
  }
}
