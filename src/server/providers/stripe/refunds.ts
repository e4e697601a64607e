import type Stripe from 'stripe';
import type { Refund, RefundRequest } from '../payments.ts';
import { asking, isRefusal } from './errors.ts';

/**
 * Refunds the whole payment; returns the existing refund if there is one.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export async function refundPayment(stripe: Stripe, request: RefundRequest): Promise<Refund> {
  const { ref, amount, paymentId, idempotencyKey } = request;
  try {
    return await asking(async () => {
      const metadata = { payment_id: paymentId };
      return refundOf(
        await stripe.refunds.create({ payment_intent: ref, amount, metadata }, { idempotencyKey }),
      );
    });
  } catch (error) {
    if (!isRefusal(error, 'charge_already_refunded')) throw error;
    const { data } = await asking(() => stripe.refunds.list({ payment_intent: ref, limit: 100 }));
    const made = fullRefund(data, amount);
    if (made === null) throw error;
    return made;
  }
}

/** The latest full refund; a failed one only if there is no other. Stripe lists the newest first. */
export function fullRefund(refunds: readonly Stripe.Refund[], amount: number): Refund | null {
  const full = refunds.filter((refund) => refund.amount === amount).map(refundOf);
  return full.find(({ status }) => status !== 'failed') ?? full[0] ?? null;
}

function refundOf({ id, status, amount }: Stripe.Refund): Refund {
  return { ref: id, amount, status: STATUSES[status ?? ''] ?? 'pending' };
}

const STATUSES: Readonly<Record<string, Refund['status']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};
