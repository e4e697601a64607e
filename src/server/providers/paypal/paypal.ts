import type { PaymentProvider } from '../payments.ts';
import { createPaypalClient, type PaypalClientSettings } from './client.ts';
import { readEvent } from './events.ts';
import { LISTED_KINDS, listMovements } from './movements.ts';
import { readAccount, startOnboarding } from './onboarding.ts';
import { cancelOrder, captureOrder, createOrder, readOrder, refundCapture } from './orders.ts';
import { payOut } from './payouts.ts';
import { listWebhooks, NEEDED_EVENTS } from './webhooks.ts';

/**
 * PayPal for approved partners, over its REST API: Orders v2 with a platform fee. The seller's share is held until the
 * payout.
 */
export function createPaypalProvider(settings: PaypalClientSettings): PaymentProvider {
  const ask = createPaypalClient(settings);
  return {
    name: 'paypal',
    cards: null,
    deposits: null,
    startOnboarding: (request) => startOnboarding(ask, request),
    readAccount: (person) => readAccount(ask, settings, person),
    createPayment: (order) => createOrder(ask, order),
    readPayment: (ref, payoutRef) => readOrder(ask, ref, payoutRef),
    capturePayment: (given) => captureOrder(ask, given),
    cancelPayment: (ref) => cancelOrder(ask, ref),
    refund: (request) => refundCapture(ask, request),
    payOut: (request) => payOut(ask, request),
    // A payout at PayPal is final; a refund debits the seller's account instead.
    reversePayout: async () => null,
    listedKinds: LISTED_KINDS,
    listMovements: (given) => listMovements(ask, given),
    readEvent: (rawBody, headers) => readEvent(ask, settings, rawBody, headers),
    neededEvents: NEEDED_EVENTS,
    listWebhooks: () => listWebhooks(ask, settings.webhookId),
  };
}
