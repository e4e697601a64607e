import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/core/config.ts';
import type { PaymentAccounts } from '#server/providers/open-payments.ts';
import { addBrowserRoutes } from './browser-routes.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { addOutboxPage } from './mail/outbox-page.ts';
import { type PaypalSandbox, startPaypalSandbox } from './paypal/server.ts';
import type { SandboxOptions } from './running.ts';
import type { SandboxStore } from './store.ts';
import { type StripeSandbox, startStripeSandbox } from './stripe/server.ts';

/** The sandboxes' own account names and keys: they open nothing else. */
const STRIPE = {
  secretKey: 'sk_test_clipswap_sandbox',
  publishableKey: 'pk_test_clipswap_sandbox',
  webhookSecret: 'whsec_clipswap_sandbox',
};
const PAYPAL = {
  clientId: 'clipswap-sandbox-client',
  clientSecret: 'clipswap-sandbox-secret',
  partnerId: 'CLIPSWAPPARTNER',
  webhookId: 'WH-CLIPSWAP-SANDBOX',
};

/** What runs in place of the providers that the settings call `sandbox` (mail: `outbox`); null for the others. */
export interface OpenSandbox {
  readonly stripe: StripeSandbox | null;
  readonly paypal: PaypalSandbox | null;
  readonly outbox: Outbox | null;
  /** Our accounts with the sandboxes, for the payment providers. */
  readonly accounts: PaymentAccounts;
  /** Adds the pages and scripts that a browser sees of them, under /sandbox/. */
  addRoutes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
}

export interface OpenSandboxOptions {
  readonly config: Pick<Config, 'stripe' | 'paypal' | 'mail' | 'publicUrl' | 'isProduction'>;
  readonly store: SandboxStore;
  /** Where our own server listens, once it does: the sandboxes send their webhooks there. */
  readonly ownAddress: () => string | null;
  /** For tests: how webhooks are delivered, and what goes wrong. */
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
        disbursement: 'delayed',
        scriptUrl: '/sandbox/paypal/browser/sdk.js',
      },
    },
    async addRoutes(app) {
      await addBrowserRoutes(app, { stripe, paypal });
      if (outbox && !config.isProduction) addOutboxPage(app, outbox);
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
