import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AccountProvider } from '#web/features/accounts/account-provider.tsx';
import { LiveUpdates } from '#web/features/live/live-updates.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { createTrpcClient, trpc } from '#web/lib/trpc.ts';
import { cssVariables, theme } from '#web/theme/theme.ts';
import { styleNonce } from './nonce.ts';
import { Toaster } from './toaster.tsx';

/** What every page stands on: theme, calls, toasts, and who is looking. */
export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(() => createTrpcClient());
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <AccountProvider>
            {children}
            <LiveUpdates />
            <Toaster />
          </AccountProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
