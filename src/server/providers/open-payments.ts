import type { PaymentClient } from '#contract/money/payments.ts';
import type { Config } from '#server/core/config.ts';
import type { PaymentProviders } from './payments.ts';
import { createPaypalProvider } from './paypal/paypal.ts';
import { createStripeProvider } from './stripe/stripe.ts';

/** The payment providers of this installation. */
export interface OpenPayments {
  readonly providers: PaymentProviders;
  /** What the browser needs to load the providers' scripts. */
  readonly client: PaymentClient;
}

/** Connects to the providers that the settings name. */
export function openPayments(
  { stripe, paypal }: Pick<Config, 'stripe' | 'paypal'>,
  time: { readonly timeoutMs?: number; readonly retryAfterMs?: number } = {},
): OpenPayments {
  return {
    providers: {
      stripe: stripe && createStripeProvider({ ...stripe, ...time }),
      paypal: paypal && createPaypalProvider({ ...paypal, ...time }),
    },
    client: {
      isSandbox: Boolean(stripe?.scriptUrl ?? paypal?.scriptUrl),
      stripe: stripe && { publishableKey: stripe.publishableKey, scriptUrl: stripe.scriptUrl },
      paypal: paypal && {
        clientId: paypal.clientId,
        attributionId: paypal.attributionId,
        sdkBaseUrl: paypal.scriptUrl,
      },
    },
  };
}
