import type Stripe from 'stripe';
import { type CardVault, isRefusal } from '../payments.ts';
import { asking, createWithFreshKey, idOf } from './client.ts';
import { currentState, EXPAND, orCurrentState } from './payments.ts';

/** Cards stored at Stripe, each with a buyer's customer object. */
export function createCardVault(stripe: Stripe): CardVault {
  return {
    createCustomer: ({ userId, email, idempotencyKey }) =>
      asking(async () => {
        const customer = await createWithFreshKey(idempotencyKey, (key) =>
          stripe.customers.create({ email, metadata: { user_id: userId } }, { idempotencyKey: key }),
        );
        return customer.id;
      }),

    keepCard: (ref, customerRef) =>
      orCurrentState(stripe, ref, async () => {
        const wish: Stripe.PaymentIntentUpdateParams =
          customerRef === null
            ? { setup_future_usage: '' }
            : { customer: customerRef, setup_future_usage: 'on_session' };
        return currentState(stripe, await stripe.paymentIntents.update(ref, { ...wish, expand: EXPAND }));
      }),

    payWithCard: ({ ref, token, customerRef, idempotencyKey }) =>
      orCurrentState(stripe, ref, async () => {
        const intent = await stripe.paymentIntents.retrieve(ref);
        if (idOf(intent.customer) !== customerRef || intent.setup_future_usage !== null) {
          // The card already belongs to the customer and is stored.
          await stripe.paymentIntents.update(ref, { customer: customerRef, setup_future_usage: '' });
        }
        // No return_url: Stripe.js handles the bank's challenge in our page, and redirects are not allowed.
        const confirmed = await stripe.paymentIntents.confirm(
          ref,
          { payment_method: token, use_stripe_sdk: true, expand: EXPAND },
          { idempotencyKey },
        );
        return currentState(stripe, confirmed);
      }),

    async forgetCard(token) {
      try {
        await asking(() => stripe.paymentMethods.detach(token));
      } catch (error) {
        if (isRefusal(error, 'resource_missing') || (await isDetached(stripe, token, error))) return;
        throw error;
      }
    },
  };
}

/** Stripe has no error code for a card without a customer. */
async function isDetached(stripe: Stripe, token: string, error: unknown): Promise<boolean> {
  if (!isRefusal(error, 'payment_method_unexpected_state', 'invalid_request_error')) return false;
  const method = await asking(() => stripe.paymentMethods.retrieve(token));
  return method.customer === null;
}
