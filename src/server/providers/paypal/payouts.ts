import type { z } from 'zod';
import type { Payout, PayoutRequest } from '../payments.ts';
import { ProviderUnreachable } from '../payments.ts';
import { orNull, type PaypalClient } from './client.ts';
import { payoutItemSchema } from './schemas.ts';

const STATUSES: Readonly<Record<string, Payout['status']>> = {
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  PAYOUT_FAILED: 'failed',
};

type PayoutItem = z.infer<typeof payoutItemSchema>;

/**
 * Releases the held money of a capture to the seller. PayPal keeps one payout per capture: a second call returns the
 * first one, whatever its key.
 */
export async function payOut(ask: PaypalClient, request: PayoutRequest): Promise<Payout> {
  const item = await ask(
    {
      method: 'POST',
      path: '/v1/payments/referenced-payouts-items',
      idempotencyKey: request.idempotencyKey,
      onBehalfOf: request.receiver,
      body: { reference_type: 'TRANSACTION_ID', reference_id: request.chargeRef },
    },
    payoutItemSchema,
  );
  return payoutOf(item, request);
}

/** The reason that PayPal gives when it has paid the seller by itself, on day 28. */
const PAID_BY_ITSELF = 'PAYOUT_ALREADY_COMPLETED_FOR_REFERENCE';

/** Null when PayPal has no such payout. */
export async function readPayout(ask: PaypalClient, ref: string): Promise<Payout | null> {
  const path = `/v1/payments/referenced-payouts-items/${encodeURIComponent(ref)}`;
  const item = await orNull(ask({ method: 'GET', path }, payoutItemSchema));
  return item && payoutOf(item, {});
}

/** PayPal reports amount and receiver once it has processed the payout; until then the request's values stand in. */
function payoutOf(item: PayoutItem, request: { amount?: number; receiver?: string }): Payout {
  const amount = item.payout_amount?.cents ?? request.amount;
  const receiver = item.payout_destination ?? request.receiver;
  if (amount === undefined || receiver === undefined) throw payoutUnknown();
  const { status: state, reason = null } = item.processing_state;
  const status = reason === PAID_BY_ITSELF ? 'succeeded' : (STATUSES[state] ?? 'pending');
  const failure = status === 'failed' ? (reason ?? state) : null;
  return { ref: item.item_id, status, amount, reversed: 0, receiver, failure };
}

function payoutUnknown(): ProviderUnreachable {
  return new ProviderUnreachable('PayPal has not said yet what it pays out');
}
