import type Stripe from 'stripe';
import { type DepositState, type DepositVault, isRefusal } from '../payments.ts';
import { asking, createWithFreshKey, idOf, orNull } from './client.ts';
import { EXPAND, moneyOf } from './payments.ts';
import { namedBy, transferGroup } from './payouts.ts';

const STATUSES: Readonly<Record<string, DepositState['status']>> = {
  requires_capture: 'authorised',
  succeeded: 'captured',
  canceled: 'voided',
};

/** Money reserved on cards at Stripe: payment intents that are captured by hand, on ClipSwap's own account. */
export function createDepositVault(stripe: Stripe): DepositVault {
  const retrieve = async (ref: string) =>
    stateOf(stripe, await stripe.paymentIntents.retrieve(ref, { expand: EXPAND }));
  /** An answer may be a replay, so the state is read again. What has moved on in the meantime stays. */
  const change = (ref: string, act: () => Promise<unknown>) =>
    asking(async () => {
      try {
        await asking(act);
      } catch (error) {
        if (!isRefusal(error, 'payment_intent_unexpected_state')) throw error;
      }
      return retrieve(ref);
    });
  return {
    create: (order) =>
      asking(async () => {
        const intent = await createWithFreshKey(order.idempotencyKey, (idempotencyKey) =>
          stripe.paymentIntents.create(
            {
              amount: order.amount,
              currency: order.currency.toLowerCase(),
              allowed_payment_method_types: ['card'],
              capture_method: 'manual',
              description: order.description,
              transfer_group: transferGroup(order.publicId),
              metadata: { ...namedBy({ isDeposit: true, ...order }), exchange_id: order.exchangeId },
            },
            { idempotencyKey },
          ),
        );
        return retrieve(intent.id);
      }),
    read: (ref) => orNull(asking(() => retrieve(ref))),
    capture: (ref, idempotencyKey) =>
      change(ref, () => stripe.paymentIntents.capture(ref, {}, { idempotencyKey })),
    release: (ref, idempotencyKey) =>
      change(ref, () => stripe.paymentIntents.cancel(ref, {}, { idempotencyKey })),
  };
}

async function stateOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<DepositState> {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const status = STATUSES[intent.status] ?? 'open';
  const taken = status === 'captured' && charge?.paid ? charge : null;
  return {
    ref: intent.id,
    publicId: intent.metadata.deposit_id ?? null,
    status,
    amount: intent.amount,
    currency: intent.currency.toUpperCase(),
    clientSecret: intent.client_secret,
    chargeRef: idOf(taken),
    // Where the authorisation was released, Stripe reports a refund of what was never taken.
    ...(await moneyOf(stripe, intent, taken)),
    failureText: status === 'open' ? (intent.last_payment_error?.message ?? null) : null,
  };
}
