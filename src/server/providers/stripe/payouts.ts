import type Stripe from 'stripe';
import { baseCurrency } from '#contract/base/money.ts';
import type { Payout, PayoutRequest } from '../payments.ts';
import { asking, idOf } from './client.ts';

/** Connects a payment or a deposit with its transfers in Stripe. */
export const transferGroup = (publicId: string) => `payment_${publicId}`;

/** What names a payment or a deposit of ours in Stripe's objects. Events about deposits lead to no payment. */
export const namedBy = ({ isDeposit, publicId }: { isDeposit?: true; publicId: string }): Stripe.Metadata =>
  isDeposit ? { deposit_id: publicId } : { payment_id: publicId };

/** Our random id that these metadata name. */
export const publicIdOf = (metadata: Stripe.Metadata): string | undefined =>
  metadata.payment_id ?? metadata.deposit_id;

/** Transfers the seller's share from its charge. @throws ProviderRefusal, ProviderUnreachable */
export function payOut(stripe: Stripe, request: PayoutRequest): Promise<Payout> {
  return asking(async () => {
    const transfer = await stripe.transfers.create(
      {
        amount: request.amount,
        currency: baseCurrency().toLowerCase(),
        destination: request.receiver,
        source_transaction: request.chargeRef,
        transfer_group: transferGroup(request.publicId),
        metadata: namedBy(request),
      },
      { idempotencyKey: request.idempotencyKey },
    );
    return payoutOf(transfer);
  });
}

/** All transfers for a payment: Stripe forgets idempotency keys after a day, but not transfers. */
export async function listPayouts(stripe: Stripe, publicId: string | undefined): Promise<Payout[]> {
  if (publicId === undefined) return [];
  const { data } = await stripe.transfers.list({ transfer_group: transferGroup(publicId), limit: 100 });
  return data.filter(({ metadata }) => publicIdOf(metadata) === publicId).map(payoutOf);
}

/**
 * Takes a part of a transfer back.
 * @throws ProviderRefusal when the seller's balance is too low, ProviderUnreachable
 */
export function reversePayout(
  stripe: Stripe,
  { ref, amount, idempotencyKey }: { ref: string; amount: number; idempotencyKey: string },
): Promise<{ ref: string }> {
  return asking(async () => {
    const { id } = await stripe.transfers.createReversal(ref, { amount }, { idempotencyKey });
    return { ref: id };
  });
}

/** A transfer succeeds at once. */
function payoutOf(transfer: Stripe.Transfer): Payout {
  return {
    ref: transfer.id,
    status: 'succeeded',
    amount: transfer.amount,
    reversed: transfer.amount_reversed,
    receiver: idOf(transfer.destination) ?? '',
    failure: null,
  };
}
