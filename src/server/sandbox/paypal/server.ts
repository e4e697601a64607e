import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { createSandboxServer, type Sandbox, type SandboxOptions } from '../server.ts';
import { addBrowserPages } from './browser.ts';
import { addCaptures, settlePending } from './captures.ts';
import { addDisputes, closeDispute, openDispute } from './disputes.ts';
import { createApi } from './http.ts';
import { addMerchants, finishMerchant, type MerchantOutcome } from './merchants.ts';
import { type Funding, openStored, type PaypalContext } from './objects.ts';
import { addOrders, approveOrder } from './orders.ts';
import { addVerification, eventOf, signatureHeaders } from './webhooks.ts';

export interface PaypalSandboxOptions extends SandboxOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly partnerId: string;
  readonly webhookId: string;
  /** The address under which a browser reaches /browser/*: 'http://localhost:3000/sandbox/paypal'. */
  readonly browserUrl: () => string;
}

export interface PaypalSandbox extends Sandbox {
  /** The buyer approves an order on PayPal's pages. */
  approveOrder(orderId: string, funding?: Funding): Promise<void>;
  /** The seller completes the set-up there. @returns the merchant's id */
  finishOnboarding(userId: number, outcome?: MerchantOutcome): Promise<string>;
  /** A pending capture clears or is declined. */
  settlePending(captureId: string, outcome?: 'COMPLETED' | 'DECLINED'): Promise<void>;
  /** @returns the dispute's id */
  openDispute(captureId: string): Promise<string>;
  /** @param outcome for the seller */
  closeDispute(id: string, outcome: 'won' | 'lost'): Promise<void>;
}

/** How long a capture stays pending, unless webhooks are held. */
const CLEARING_MS = 10_000;

/**
 * A sandbox for the part of PayPal's REST API that our client uses, on a free port of the loopback. It keeps its
 * objects in `store`.
 */
export async function startPaypalSandbox(options: PaypalSandboxOptions): Promise<PaypalSandbox> {
  const keys = { webhookId: options.webhookId, signingKey: options.clientSecret };
  const server = createSandboxServer(options, (body, at) => signatureHeaders(keys, body, at));
  const { exclusive } = server;
  let url = '';
  const ctx: PaypalContext = {
    stored: openStored(options.store),
    emit: (...event) => server.post(eventOf(...event)),
    url: () => url,
    clearLater: (captureId) => server.later(CLEARING_MS, () => settlePending(ctx, captureId, 'COMPLETED')),
  };

  const api = createApi(server, { ...options, stored: ctx.stored });
  addOrders(api, ctx);
  addCaptures(api, ctx);
  addDisputes(api, ctx);
  addMerchants(api, ctx, options);
  addVerification(api, keys);
  addBrowserPages(server, ctx);
  const sandbox = await server.start();
  url = sandbox.url;
  for (const { id, status } of await ctx.stored.captures.list()) {
    // The program stopped while these were pending.
    if (status === 'PENDING') ctx.clearLater(id);
  }

  return {
    ...sandbox,
    approveOrder: (orderId, funding = 'balance') => exclusive(() => approveOrder(ctx, orderId, funding)),
    finishOnboarding: (userId, outcome = {}) =>
      exclusive(async () => (await finishMerchant(ctx, trackingIdOf(userId), outcome)).id),
    settlePending: (captureId, outcome = 'COMPLETED') =>
      exclusive(() => settlePending(ctx, captureId, outcome)),
    openDispute: (captureId) => exclusive(() => openDispute(ctx, captureId)),
    closeDispute: (id, outcome) => exclusive(() => closeDispute(ctx, id, outcome)),
  };
}
