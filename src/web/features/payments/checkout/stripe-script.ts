import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { PaymentClient } from '#contract/payments.ts';

export type StripeSettings = NonNullable<PaymentClient['stripe']>;

/** How long a provider's script may take before people are told that it does not come. */
export const LOAD_LIMIT_MS = 10_000;

/** Stripe's own script, where its loader has waited for it in vain. */
let hanging: HTMLScriptElement | null = null;
/** Scripts that we have asked for ourselves. */
let attempts = 0;

/**
 * Loads Stripe's script, or the sandbox's where there is one, and opens it with our key. Each call really tries
 * again after a failure.
 * @throws Error when it does not come within `LOAD_LIMIT_MS`, or is refused
 */
export async function openStripe(settings: StripeSettings): Promise<Stripe> {
  const stripe = await withinLimit(load(settings), () => {
    hanging = document.querySelector<HTMLScriptElement>('script[src^="https://js.stripe.com"]');
  });
  if (!stripe) throw new Error('Stripe.js needs a browser');
  return stripe;
}

async function load({ publishableKey, scriptUrl }: StripeSettings): Promise<Stripe | null> {
  if (scriptUrl !== null && !window.Stripe) await loadScript(scriptUrl);
  if (hanging && !window.Stripe) {
    await loadScript(hanging.src);
    // Stripe's loader waits for ever, and every later call with it, until it is told.
    hanging.dispatchEvent(new Event('load'));
  }
  // The loader takes what is there already.
  return loadStripe(publishableKey);
}

function loadScript(url: string): Promise<void> {
  attempts += 1;
  // A browser joins requests for one address: while the first hangs, the second would hang with it.
  const address = attempts > 1 || hanging ? `${url}?attempt=${attempts}` : url;
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', () =>
      window.Stripe ? resolve() : reject(new Error(`${url} is not Stripe.js`)),
    );
    script.addEventListener('error', () => reject(new Error(`${url} could not be loaded`)));
    document.head.append(script);
  });
}

function withinLimit<Value>(loading: Promise<Value>, onLate: () => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate();
      reject(new Error(`Not loaded within ${LOAD_LIMIT_MS} ms`));
    }, LOAD_LIMIT_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
