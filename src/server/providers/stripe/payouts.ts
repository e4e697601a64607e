import type Stripe from 'stripe';
import type { Payout, PayoutRequest } from '../payments.ts';
import { asking, idOf, orNull } from './client.ts';
import { transferGroup } from './payments.ts';

/**
 * Transfers the seller's share from its charge. Returns an existing transfer for this payment: Stripe forgets
 * idempotency keys after a day, but not transfers.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export function payOut(stripe: Stripe, request: PayoutRequest): Promise<Payout> {
  return asking(async () => {
    const group = transferGroup(request.publicId);
    const made = await findTransfer(stripe, group, request.publicId);
    if (made) return payoutOf(made);
    const transfer = await stripe.transfers.create(
      {
        amount: request.amount,
        currency: 'cad',
        destination: request.receiver,
        source_transaction: request.chargeRef,
        transfer_group: group,
        metadata: { payment_id: request.publicId },
      },
      { idempotencyKey: request.idempotencyKey },
    );
    return payoutOf(transfer);
  });
}

/** Null when Stripe has no such transfer. @throws ProviderRefusal, ProviderUnreachable */
export function readPayout(stripe: Stripe, ref: string): Promise<Payout | null> {
  return orNull(asking(async () => payoutOf(await stripe.transfers.retrieve(ref))));
}

/**
 * Reverses a transfer; returns the existing reversal if there is one.
 * @throws ProviderRefusal when the seller's balance is too low, ProviderUnreachable
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

async function findTransfer(stripe: Stripe, group: string, publicId: string) {
  const { data } = await stripe.transfers.list({ transfer_group: group, limit: 100 });
  return data.find(({ metadata }) => metadata.payment_id === publicId);
}

/** A transfer succeeds at once; a reversed one counts as failed. */
function payoutOf(transfer: Stripe.Transfer): Payout {
  return {
    ref: transfer.id,
    status: transfer.reversed ? 'failed' : 'succeeded',
    amount: transfer.amount,
    receiver: idOf(transfer.destination) ?? '',
  };
}
