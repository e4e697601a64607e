import type Stripe from 'stripe';
import type { Payout, PayoutRequest } from '../payments.ts';
import { idOf } from './client.ts';
import { asking, orNull } from './errors.ts';
import { transferGroup } from './payments.ts';

/**
 * Sends the seller's share on from the charge it came with. A transfer that there is already for this payment is
 * answered instead: Stripe forgets keys after a day, but not transfers.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export function payOut(stripe: Stripe, request: PayoutRequest): Promise<Payout> {
  return asking(async () => {
    const group = transferGroup(request.paymentId);
    const made = await findTransfer(stripe, group, request.paymentId);
    if (made) return payoutOf(made);
    const transfer = await stripe.transfers.create(
      {
        amount: request.amount,
        currency: 'cad',
        destination: request.receiver,
        source_transaction: request.chargeRef,
        transfer_group: group,
        metadata: { payment_id: request.paymentId },
      },
      { idempotencyKey: request.idempotencyKey },
    );
    return payoutOf(transfer);
  });
}

/** Null when Stripe knows of no such transfer. @throws ProviderRefusal, ProviderUnreachable */
export function readPayout(stripe: Stripe, ref: string): Promise<Payout | null> {
  return orNull(asking(async () => payoutOf(await stripe.transfers.retrieve(ref))));
}

/**
 * Takes a transfer back; what has been taken back already is answered with that reversal.
 * @throws ProviderRefusal when the seller's balance does not allow it, ProviderUnreachable
 */
export function reversePayout(
  stripe: Stripe,
  { ref, amount, idempotencyKey }: { ref: string; amount: number; idempotencyKey: string },
): Promise<{ ref: string }> {
  return asking(async () => {
    const { reversals } = await stripe.transfers.retrieve(ref);
    const made = reversals.data.find((reversal) => reversal.amount === amount);
    if (made) return { ref: made.id };
    const { id } = await stripe.transfers.createReversal(ref, { amount }, { idempotencyKey });
    return { ref: id };
  });
}

async function findTransfer(stripe: Stripe, group: string, paymentId: number) {
  const { data } = await stripe.transfers.list({ transfer_group: group, limit: 100 });
  return data.find(({ metadata }) => metadata.payment_id === String(paymentId));
}

/** A transfer is there at once; one that was taken back is not with the seller any more. */
function payoutOf(transfer: Stripe.Transfer): Payout {
  return {
    ref: transfer.id,
    status: transfer.reversed ? 'failed' : 'succeeded',
    amount: transfer.amount,
    receiver: idOf(transfer.destination) ?? '',
  };
}
