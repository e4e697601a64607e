import { type MantineTheme, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import type { Appearance, PaymentIntent, Stripe, StripeError } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PaymentClient } from '#contract/payments.ts';
import { cssVariables } from '#web/theme/theme.ts';
import type { AttemptResult } from './way-to-pay.tsx';

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

/** Stripe, loaded once for all screens; `refetch` really tries again. Not asked for while there are no settings. */
export function useStripe(settings: StripeSettings | null) {
  return useQuery({
    queryKey: ['stripe', settings],
    queryFn: () => (settings ? openStripe(settings) : null),
    enabled: settings !== null,
    retry: false,
    // Not data that grows old or is compared, but a program.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    // Without a network it fails, where the default would wait for one in silence.
    networkMode: 'always',
  });
}

const PAID: readonly (string | undefined)[] = ['succeeded', 'processing'];

/** What Stripe's answer means. A refusal of what is paid already is none: somebody pressed twice, in two windows. */
export function resultOf({
  error,
  paymentIntent,
}: {
  error?: StripeError;
  paymentIntent?: PaymentIntent;
}): AttemptResult {
  if (PAID.includes((error?.payment_intent ?? paymentIntent)?.status)) return { isPaid: true };
  // The form itself marks a field that is not complete.
  return { isPaid: false, message: error?.message, isShown: error?.type === 'validation_error' };
}

/** How Stripe draws its form, to look like the rest of the page in both themes. */
export function useStripeAppearance(): Appearance {
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return useMemo(() => stripeAppearance(theme, scheme), [theme, scheme]);
}

/** Stripe's frame cannot see our CSS variables: it is told plain colours. */
function stripeAppearance(theme: MantineTheme, scheme: 'light' | 'dark'): Appearance {
  const variables = cssVariables(theme)[scheme];
  const isDark = scheme === 'dark';
  const text = isDark ? theme.colors.dark[0] : theme.black;
  const quiet = variables['--mantine-color-dimmed'] ?? text;
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: theme.colors.clip?.[isDark ? 4 : 6] ?? text,
      colorBackground: variables['--surface'] ?? 'transparent',
      colorText: text,
      colorTextSecondary: quiet,
      colorTextPlaceholder: quiet,
      colorDanger: variables['--mantine-color-error'] ?? text,
      fontFamily: theme.fontFamily,
      fontSizeBase: '16px',
      borderRadius: '8px',
    },
    rules: {
      '.Input': { border: `1px solid ${quiet}`, boxShadow: 'none' },
      '.Label': { fontWeight: '600' },
    },
  };
}
