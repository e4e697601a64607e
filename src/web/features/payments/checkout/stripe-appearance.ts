import { type MantineTheme, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import type { Appearance } from '@stripe/stripe-js';
import { useMemo } from 'react';
import { cssVariables } from '#web/theme/theme.ts';

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
