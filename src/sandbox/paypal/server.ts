import type { FastifyInstance } from 'fastify';
import { addProvider, type Sandbox, type SandboxOptions } from '#sandbox/server.ts';
import { addBrowserPages } from './browser.ts';
import { addCaptures, settlePending } from './captures.ts';
import { addDisputes } from './disputes.ts';
import { createApi } from './http.ts';
import { addMerchants } from './merchants.ts';
import { openStored, type PaypalContext } from './objects.ts';
import { addOrders } from './orders.ts';
import { createOutside, type PaypalOutside } from './outside.ts';
import { addPayouts } from './payouts.ts';
import { addRefunds, settleRefund } from './refunds.ts';
import { addReports } from './reports.ts';
import { addVerification, addWebhook, eventOf, signatureHeaders } from './webhooks.ts';

export interface PaypalSandboxOptions extends SandboxOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly partnerId: string;
  readonly webhookId: string;
  /** The address of its API, once it listens. */
  readonly url: () => string;
  /** A search of transactions that finds more is refused; by default PayPal's limit. */
  readonly reportLimit?: number | undefined;
}

/** What the paths of PayPal's API begin with here: Stripe's SDK allows none. */
export const PAYPAL_PREFIX = '/paypal';

export type PaypalSandbox = Sandbox & PaypalOutside;

/** How long a capture or a refund stays pending, unless webhooks are held. */
const CLEARING_MS = 10_000;

/** Stands in for the part of PayPal's REST API that our client uses. It keeps its objects in `store`. */
export async function addPaypal(app: FastifyInstance, options: PaypalSandboxOptions): Promise<PaypalSandbox> {
  const keys = { webhookId: options.webhookId, signingKey: options.clientSecret };
  const server = addProvider(app, PAYPAL_PREFIX, options, (body, at) => signatureHeaders(keys, body, at));
  const ctx: PaypalContext = {
    stored: openStored(options.store),
    partnerId: options.partnerId,
    emit: (...event) => server.post(eventOf(...event)),
    url: options.url,
    settleLater(kind, id) {
      const settle = kind === 'capture' ? settlePending : settleRefund;
      server.later(CLEARING_MS, () => settle(ctx, id, 'COMPLETED'));
    },
  };

  const api = createApi(server, { ...options, stored: ctx.stored });
  addOrders(api, ctx);
  addCaptures(api, ctx);
  addRefunds(api, ctx);
  addPayouts(api, ctx);
  addReports(api, ctx, options.reportLimit);
  addDisputes(api, ctx);
  addMerchants(api, ctx, options);
  addVerification(api, keys);
  addWebhook(api, keys, options.webhookAddress);
  addBrowserPages(server, ctx);
  // The program stopped while these were pending.
  for (const kind of ['capture', 'refund'] as const) {
    for (const { id, status } of await ctx.stored[`${kind}s`].list()) {
      if (status === 'PENDING') ctx.settleLater(kind, id);
    }
  }

  return { ...server.controls, ...createOutside(ctx, server.exclusive) };
}
