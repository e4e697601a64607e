import type { PaymentClient } from '#contract/payments.ts';
import type { Config } from '#server/core/config.ts';
import type { PaypalSettings, StripeSettings } from '#server/core/provider-settings.ts';
import type { PaymentProviders } from './payments.ts';
import { createPaypalProvider } from './paypal/paypal.ts';
import type { StripeApi } from './stripe/client.ts';
import { createStripeProvider } from './stripe/stripe.ts';

/** The payment providers of this installation. */
export interface OpenPayments {
  readonly providers: PaymentProviders;
  /** What the browser needs to load the providers' scripts. */
  readonly client: PaymentClient;
}

/** Accounts with a sandbox: it has an address and a browser script of its own. */
export interface PaymentAccounts {
  readonly stripe: (StripeSettings & { readonly api: StripeApi; readonly scriptUrl: string }) | null;
  readonly paypal: (PaypalSettings & { readonly scriptUrl: string }) | null;
}

/**
 * Connects to the providers that the settings name.
 * @param sandbox the accounts to use where the settings say `sandbox`
 */
export function openPayments(
  config: Pick<Config, 'stripe' | 'paypal'>,
  sandbox: PaymentAccounts | null,
  time: { readonly timeoutMs?: number; readonly retryAfterMs?: number } = {},
): OpenPayments {
  const stripe = config.stripe === 'sandbox' ? (sandbox?.stripe ?? null) : config.stripe;
  const paypal = config.paypal === 'sandbox' ? (sandbox?.paypal ?? null) : config.paypal;
  return {
    providers: {
      stripe: stripe && createStripeProvider({ ...stripe, ...time }),
      paypal: paypal && createPaypalProvider({ ...paypal, ...time }),
    },
    client: {
      isSandbox: config.stripe === 'sandbox' || config.paypal === 'sandbox',
      stripe: stripe && {
        publishableKey: stripe.publishableKey,
        scriptUrl: sandbox?.stripe?.scriptUrl ?? null,
      },
      paypal: paypal && {
        clientId: paypal.clientId,
        attributionId: paypal.attributionId,
        sdkBaseUrl: sandbox?.paypal?.scriptUrl ?? null,
      },
    },
  };
}
