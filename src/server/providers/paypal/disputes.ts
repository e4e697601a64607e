import type { z } from 'zod';
import type { PaymentState } from '../payments.ts';
import { isRefusal, type PaypalClient } from './client.ts';
import { disputeSchema, disputesSchema } from './schemas.ts';

/** Outcomes of a dispute in which the seller loses the money. */
const LOST_OUTCOMES = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

/**
 * The latest dispute over a capture; null when there is none.
 * @param receiver the seller on whose behalf we ask
 */
export async function readDispute(
  ask: PaypalClient,
  captureId: string,
  receiver: string | null,
): Promise<PaymentState['dispute']> {
  const asSeller = receiver === null ? {} : { onBehalfOf: receiver };
  const id = await findDispute(ask, captureId, asSeller);
  if (id === null) return null;
  const path = `/v1/customer/disputes/${encodeURIComponent(id)}`;
  const dispute = await ask({ method: 'GET', path, ...asSeller }, disputeSchema);
  return { ref: dispute.dispute_id, status: statusOf(dispute), amount: dispute.dispute_amount.cents };
}

async function findDispute(
  ask: PaypalClient,
  captureId: string,
  asSeller: { onBehalfOf?: string },
): Promise<string | null> {
  const path = `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(captureId)}`;
  try {
    const { items } = await ask({ method: 'GET', path, ...asSeller }, disputesSchema);
    const latest = items.reduce<(typeof items)[number] | null>(
      (last, item) => (last === null || item.create_time > last.create_time ? item : last),
      null,
    );
    return latest?.dispute_id ?? null;
  } catch (error) {
    // A seller who has not granted access to disputes must not block the settlement of a payment.
    if (isRefusal(error, 'NOT_AUTHORIZED', 'PERMISSION_DENIED', 'RESOURCE_NOT_FOUND')) return null;
    throw error;
  }
}

function statusOf(dispute: z.infer<typeof disputeSchema>): 'open' | 'won' | 'lost' {
  if (dispute.status !== 'RESOLVED') return 'open';
  return LOST_OUTCOMES.includes(dispute.dispute_outcome?.outcome_code ?? '') ? 'lost' : 'won';
}
