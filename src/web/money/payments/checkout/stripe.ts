import { type MantineTheme, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PaymentClient } from '#contract/money/payments.ts';
import { cssVariables } from '#web/theme/css-variables.ts';

export type StripeSettings = NonNullable<PaymentClient['stripe']>;

/** How long a provider's script may take, in milliseconds. */
export const LOAD_LIMIT_MS = 10_000;

/** The script that Stripe's loader still waits for after the time limit. */
let hanging: HTMLScriptElement | null = null;
/** The number of scripts that we have added ourselves. */
let attempts = 0;

/**
 * Loads Stripe's script, or the sandbox's if there is one, and opens it with our key. After a failure each call loads
 * the script again.
 * @throws Error if it does not load within `LOAD_LIMIT_MS`, or fails
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
    // Stripe's loader, and every later call to it, waits for this event.
    hanging.dispatchEvent(new Event('load'));
  }
  // The loader uses `window.Stripe` if it is there.
  return loadStripe(publishableKey);
}

function loadScript(url: string): Promise<void> {
  attempts += 1;
  // Browsers share requests for one address: if the first hangs, so does the second.
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

/** Stripe, loaded once for all screens and not before there are settings. `refetch` loads the script again. */
export function useStripe(settings: StripeSettings | null) {
  return useQuery({
    queryKey: ['stripe', settings],
    queryFn: () => (settings ? openStripe(settings) : null),
    enabled: settings !== null,
    retry: false,
    // A program, not data: it does not become stale and is not compared.
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    // Offline it must fail at once; the default would wait.
    networkMode: 'always',
  });
}

/** Makes Stripe's form look like our pages in both themes. */
export function useStripeAppearance(): Appearance {
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return useMemo(() => stripeAppearance(theme, scheme), [theme, scheme]);
}

/** Plain colours, because Stripe's frame cannot read our CSS variables. */
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
