import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#server/core/config.ts';
import { notFound } from '#server/core/errors.ts';
import type { PaymentAccounts } from '#server/providers/open-payments.ts';
import { addOutboxPage, createOutbox, type Outbox } from './mail/outbox.ts';
import { addOutsidePage } from './outside-page.ts';
import { addPageStyles } from './page.ts';
import { type PaypalSandbox, startPaypalSandbox } from './paypal/server.ts';
import type { SandboxOptions } from './server.ts';
import type { SandboxStore } from './store.ts';
import { type StripeSandbox, startStripeSandbox } from './stripe/server.ts';

/** Keys that work with the sandboxes only. */
const STRIPE = {
  secretKey: 'sk_test_clipswap_sandbox',
  publishableKey: 'pk_test_clipswap_sandbox',
  webhookSecret: 'whsec_clipswap_sandbox',
};
const PAYPAL = {
  clientId: 'clipswap-sandbox-client',
  clientSecret: 'clipswap-sandbox-secret',
  partnerId: 'CLSWPPARTNER2',
  webhookId: '0CL1PSWAPSANDB0X1',
};

/** The sandboxes of the providers that are set to `sandbox` (mail: `outbox`); null for the others. */
export interface OpenSandbox {
  readonly stripe: StripeSandbox | null;
  readonly paypal: PaypalSandbox | null;
  readonly outbox: Outbox | null;
  /** Our accounts at the sandboxes, for the payment providers. */
  readonly accounts: PaymentAccounts;
  /** Adds their pages and scripts, under /sandbox/. */
  addRoutes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
}

export interface OpenSandboxOptions {
  readonly config: Pick<Config, 'stripe' | 'paypal' | 'mail' | 'publicUrl' | 'isProduction'>;
  readonly store: SandboxStore;
  /** Where our server listens, null before it does: the sandboxes send their webhooks there. */
  readonly ownAddress: () => string | null;
  /** For tests. */
  readonly webhooks?: SandboxOptions['webhooks'];
  readonly fault?: SandboxOptions['fault'];
}

/** Starts the sandboxes that the settings ask for. */
export async function openSandbox(options: OpenSandboxOptions): Promise<OpenSandbox> {
  const { config, store } = options;
  const sandboxOptions = (provider: 'stripe' | 'paypal') => ({
    store,
    webhooks: options.webhooks ?? 'auto',
    ...(options.fault && { fault: options.fault }),
    webhookUrl: () => {
      const address = options.ownAddress();
      return address === null ? null : `${address}/api/webhooks/${provider}`;
    },
    browserUrl: () => `${config.publicUrl}/sandbox/${provider}`,
  });
  const stripe =
    config.stripe === 'sandbox' ? await startStripeSandbox({ ...sandboxOptions('stripe'), ...STRIPE }) : null;
  const paypal =
    config.paypal === 'sandbox' ? await startPaypalSandbox({ ...sandboxOptions('paypal'), ...PAYPAL }) : null;
  const outbox = config.mail === 'outbox' ? createOutbox(store) : null;
  return {
    stripe,
    paypal,
    outbox,
    accounts: {
      stripe: stripe && {
        ...STRIPE,
        webhookSecrets: [STRIPE.webhookSecret],
        api: apiAt(stripe.url),
        scriptUrl: '/sandbox/stripe/browser/stripe.js',
      },
      paypal: paypal && {
        ...PAYPAL,
        apiBase: paypal.url,
        attributionId: null,
        scriptUrl: '/sandbox/paypal/browser/sdk.js',
      },
    },
    async addRoutes(app) {
      addPageStyles(app);
      await addBrowserRoutes(app, { stripe, paypal });
      if (config.isProduction) return;
      await addOutsidePage(app, { stripe, paypal });
      if (outbox) addOutboxPage(app, outbox);
    },
    async close() {
      await Promise.all([stripe?.close(), paypal?.close()]);
    },
  };
}

function apiAt(url: string) {
  const { hostname: host, port } = new URL(url);
  return { protocol: 'http', host, port: Number(port) } as const;
}

/** The headers of a sandbox's answer that the browser gets. */
const PASSED_HEADERS = ['content-type', 'location', 'content-security-policy', 'cache-control'];

/** Lets the browser reach the payment sandboxes' scripts and pages, but not their APIs, through our own address. */
async function addBrowserRoutes(
  app: FastifyInstance,
  sandboxes: { readonly stripe: StripeSandbox | null; readonly paypal: PaypalSandbox | null },
): Promise<void> {
  await app.register(async (scope) => {
    // Bodies are passed on unchanged.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const provider of ['stripe', 'paypal'] as const) {
      const target = sandboxes[provider]?.url;
      if (target === undefined) continue;
      scope.route({
        method: ['GET', 'POST'],
        url: `/sandbox/${provider}/browser/*`,
        schema: { hide: true },
        handler: (request, reply) => pass(request, reply, target, `/sandbox/${provider}`),
      });
    }
  });
}

async function pass(request: FastifyRequest, reply: FastifyReply, target: string, prefix: string) {
  const url = new URL(request.url.slice(prefix.length), target);
  // A path with '..' in it must not lead to the provider's API.
  if (!url.pathname.startsWith('/browser/') || url.origin !== target) throw notFound('Page');
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  const answer = await fetch(url, {
    method: request.method,
    redirect: 'manual',
    headers: { 'content-type': request.headers['content-type'] ?? 'application/octet-stream' },
    ...(request.method === 'POST' && { body }),
  });
  for (const name of PASSED_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.status(answer.status).send(Buffer.from(await answer.arrayBuffer()));
}
