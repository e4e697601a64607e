import { MOVEMENT_KINDS } from '../movements.ts';
import { type PaymentProvider, ProviderRefusal } from '../payments.ts';
import { readAccount, startOnboarding } from './accounts.ts';
import { createCardVault } from './cards.ts';
import { asking, createStripeClient, type StripeSettings } from './client.ts';
import { createDepositVault } from './deposits.ts';
import { readEvent } from './events.ts';
import { listMovements } from './movements.ts';
import { cancelPayment, createPayment, readPayment, refundPayment } from './payments.ts';
import { payOut, reversePayout } from './payouts.ts';
import { listWebhooks, NEEDED_EVENTS } from './webhooks.ts';

/**
 * Stripe Connect with separate charges and transfers: the buyer is charged on ClipSwap's account, and a transfer moves
 * the seller's share to their connected account when the hold ends.
 */
export function createStripeProvider(settings: StripeSettings): PaymentProvider {
  const stripe = createStripeClient(settings);
  return {
    name: 'stripe',
    cards: createCardVault(stripe),
    deposits: createDepositVault(stripe),
    startOnboarding: (request) => startOnboarding(stripe, request),
    readAccount: (person) => readAccount(stripe, person),
    createPayment: (order) => createPayment(stripe, order),
    readPayment: (ref) => readPayment(stripe, ref),
    // Stripe takes the money when the buyer confirms, so there is nothing to capture.
    capturePayment: ({ ref }) => readExisting(ref),
    cancelPayment: (ref, idempotencyKey) => cancelPayment(stripe, ref, idempotencyKey),
    refund: (request) => refundPayment(stripe, request),
    payOut: (request) => payOut(stripe, request),
    reversePayout: (given) => reversePayout(stripe, given),
    listedKinds: MOVEMENT_KINDS,
    listMovements: (given) => listMovements(stripe, given),
    readEvent: (rawBody, headers) =>
      asking(async () => readEvent(stripe, settings.webhookSecrets, rawBody, headers)),
    neededEvents: NEEDED_EVENTS,
    listWebhooks: () => listWebhooks(stripe),
  };

  async function readExisting(ref: string) {
    const payment = await readPayment(stripe, ref);
    if (payment === null) throw new ProviderRefusal('resource_missing', `Stripe knows of no payment ${ref}`);
    return payment;
  }
}
