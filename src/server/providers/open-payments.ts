import type { PaymentClient } from '#contract/payments.ts';
import type { Config } from '#server/core/config.ts';
import type { PaymentProviders } from './payments.ts';
import { createPaypalProvider } from './paypal/paypal.ts';
import { startPaypalSandbox } from './sandbox/paypal/server.ts';
import type { SandboxOptions } from './sandbox/sandbox.ts';
import type { SandboxStore } from './sandbox/store.ts';
import { startStripeSandbox } from './sandbox/stripe/server.ts';
import { createStripeProvider } from './stripe/stripe.ts';

/** The stand-ins' own account names and keys: they open nothing but the stand-ins. */
const SANDBOX_STRIPE = {
  secretKey: 'sk_test_clipswap_sandbox',
  publishableKey: 'pk_test_clipswap_sandbox',
  webhookSecret: 'whsec_clipswap_sandbox',
};
const SANDBOX_PAYPAL = {
  clientId: 'clipswap-sandbox-client',
  clientSecret: 'clipswap-sandbox-secret',
  partnerId: 'CLIPSWAPPARTNER',
  webhookId: 'WH-CLIPSWAP-SANDBOX',
};

type Running<Sandbox extends (...options: never[]) => unknown> = Awaited<ReturnType<Sandbox>>;

/** The payment providers of this installation, and the stand-ins that run for those that are not set up. */
export interface OpenPayments {
  readonly providers: PaymentProviders;
  /** What the browser needs to load the providers' scripts. */
  readonly client: PaymentClient;
  readonly sandboxes: {
    readonly stripe: Running<typeof startStripeSandbox> | null;
    readonly paypal: Running<typeof startPaypalSandbox> | null;
  };
  close(): Promise<void>;
}

export interface OpenPaymentsOptions {
  readonly config: Pick<Config, 'stripe' | 'paypal' | 'publicUrl'>;
  /** What the stand-ins remember in. */
  readonly store: SandboxStore;
  /** Where our own server listens, once it does: the stand-ins send their webhooks there. */
  readonly ownAddress: () => string | null;
  /** For tests: how the stand-ins deliver, and what goes wrong. */
  readonly webhooks?: SandboxOptions['webhooks'];
  readonly fault?: SandboxOptions['fault'];
  readonly timeoutMs?: number;
}

/** Connects to the providers that the settings name, and starts a stand-in where they say `sandbox`. */
export async function openPayments(options: OpenPaymentsOptions): Promise<OpenPayments> {
  const { config, timeoutMs } = options;
  const sandboxOptions = (provider: 'stripe' | 'paypal') => ({
    store: options.store,
    webhooks: options.webhooks ?? 'auto',
    ...(options.fault && { fault: options.fault }),
    webhookUrl: () => {
      const address = options.ownAddress();
      return address === null ? null : `${address}/api/webhooks/${provider}`;
    },
    browserUrl: () => `${config.publicUrl}/sandbox/${provider}`,
  });
  const sandboxes = {
    stripe:
      config.stripe === 'sandbox'
        ? await startStripeSandbox({ ...sandboxOptions('stripe'), ...SANDBOX_STRIPE })
        : null,
    paypal:
      config.paypal === 'sandbox'
        ? await startPaypalSandbox({ ...sandboxOptions('paypal'), ...SANDBOX_PAYPAL })
        : null,
  };
  const time = timeoutMs === undefined ? {} : { timeoutMs };
  return {
    providers: {
      stripe: openStripe(config.stripe, sandboxes.stripe?.url, time),
      paypal: openPaypal(config.paypal, sandboxes.paypal?.url, time),
    },
    client: clientOf(config),
    sandboxes,
    close: async () => {
      await Promise.all([sandboxes.stripe?.close(), sandboxes.paypal?.close()]);
    },
  };
}

interface TimeLimit {
  readonly timeoutMs?: number;
}

function openStripe(settings: Config['stripe'], sandboxUrl: string | undefined, time: TimeLimit) {
  if (settings === null) return null;
  if (settings !== 'sandbox') return createStripeProvider({ ...settings, ...time });
  const { hostname, port } = new URL(sandboxUrl ?? '');
  const { secretKey, webhookSecret } = SANDBOX_STRIPE;
  const api = { protocol: 'http', host: hostname, port: Number(port) } as const;
  return createStripeProvider({ secretKey, webhookSecrets: [webhookSecret], api, ...time });
}

function openPaypal(settings: Config['paypal'], sandboxUrl: string | undefined, time: TimeLimit) {
  if (settings === null) return null;
  if (settings !== 'sandbox') return createPaypalProvider({ ...settings, ...time });
  return createPaypalProvider({
    ...SANDBOX_PAYPAL,
    apiBase: sandboxUrl ?? '',
    attributionId: null,
    disbursement: 'delayed',
    ...time,
  });
}

function clientOf({ stripe, paypal }: Pick<Config, 'stripe' | 'paypal'>): PaymentClient {
  return {
    isSandbox: stripe === 'sandbox' || paypal === 'sandbox',
    stripe: stripe && {
      publishableKey: stripe === 'sandbox' ? SANDBOX_STRIPE.publishableKey : stripe.publishableKey,
      scriptUrl: stripe === 'sandbox' ? '/sandbox/stripe/browser/stripe.js' : null,
    },
    paypal: paypal && {
      clientId: paypal === 'sandbox' ? SANDBOX_PAYPAL.clientId : paypal.clientId,
      attributionId: paypal === 'sandbox' ? null : paypal.attributionId,
      sdkBaseUrl: paypal === 'sandbox' ? '/sandbox/paypal/browser/sdk.js' : null,
    },
  };
}
