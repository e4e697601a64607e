import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { createSandboxServer, type Sandbox, type SandboxOptions } from '../server.ts';
import { addBrowserPages } from './browser.ts';
import { createApi } from './http.ts';
import { addMerchants, finishMerchant, type MerchantOutcome } from './merchants.ts';
import { type Desk, type Funding, openShelves } from './objects.ts';
import {
  addOrders,
  addPayments,
  approveOrder,
  closeDispute,
  openDispute,
  settlePending,
} from './payments.ts';
import { addVerification, createWebhooks } from './webhooks.ts';

export interface PaypalSandboxOptions extends SandboxOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly partnerId: string;
  readonly webhookId: string;
  /** Under which the browser reaches /browser/*: 'http://localhost:3000/sandbox/paypal'. */
  readonly browserUrl: () => string;
}

export interface PaypalSandbox extends Sandbox {
  /** Does what the buyer does on PayPal's pages. */
  approveOrder(orderId: string, funding?: Funding): Promise<void>;
  /** Does what the seller does there. @returns the merchant's id */
  finishOnboarding(userId: number, outcome?: MerchantOutcome): Promise<string>;
  /** A pending capture clears, unless it is to be declined. */
  settlePending(captureId: string, outcome?: 'COMPLETED' | 'DECLINED'): Promise<void>;
  /** @returns the dispute's id */
  openDispute(captureId: string): Promise<string>;
  /** @param outcome as the seller sees it */
  closeDispute(id: string, outcome: 'won' | 'lost'): Promise<void>;
}

/** After this a pending capture clears by itself, where events are sent by themselves too. */
const CLEARING_MS = 10_000;

/**
 * A sandbox for PayPal that speaks as much of its REST API as our client uses, on a free port of the loopback. What
 * it is told it keeps in `store`; webhooks, faults and delays are as the options say.
 */
export async function startPaypalSandbox(options: PaypalSandboxOptions): Promise<PaypalSandbox> {
  const server = createSandboxServer(options);
  const { app, exclusive } = server;
  const keys = { webhookId: options.webhookId, signingKey: options.clientSecret };
  const webhooks = createWebhooks(options, keys);
  const address = { url: '' };

  const desk: Desk = {
    shelves: openShelves(options.store),
    webhooks,
    url: () => address.url,
    clearLater: (captureId) => server.later(CLEARING_MS, () => settlePending(desk, captureId, 'COMPLETED')),
  };

  const api = createApi(app, { ...options, shelves: desk.shelves, exclusive });
  addOrders(api, desk);
  addPayments(api, desk);
  addMerchants(api, desk, options);
  addVerification(api, keys);
  addBrowserPages(app, desk, exclusive);
  address.url = await server.listen();
  for (const { id, status } of await desk.shelves.captures.list()) {
    // Captures that were pending when the program stopped.
    if (status === 'PENDING') desk.clearLater(id);
  }

  return {
    url: address.url,
    waiting: webhooks.waiting,
    deliver: webhooks.deliver,
    drop: webhooks.drop,
    async close() {
      webhooks.close();
      await server.close();
    },
    approveOrder: (orderId, funding = 'balance') => exclusive(() => approveOrder(desk, orderId, funding)),
    finishOnboarding: (userId, outcome = {}) =>
      exclusive(async () => (await finishMerchant(desk, trackingIdOf(userId), outcome)).id),
    settlePending: (captureId, outcome = 'COMPLETED') =>
      exclusive(() => settlePending(desk, captureId, outcome)),
    openDispute: (captureId) => exclusive(() => openDispute(desk, captureId)),
    closeDispute: (id, outcome) => exclusive(() => closeDispute(desk, id, outcome)),
  };
}
