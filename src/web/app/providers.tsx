import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useCurrentUser, useOnePersonsData } from '#web/features/accounts/queries.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { createTrpcClient, trpc } from '#web/lib/trpc.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { cssVariables, theme } from '#web/theme/theme.ts';
import { LiveUpdates } from './live-updates.tsx';
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

/** Reads at load who is there, and tells the whole page. */
export function AccountProvider({ children }: { children: ReactNode }) {
  const { data, isPending } = useCurrentUser();
  useOnePersonsData(data === undefined ? undefined : (data?.id ?? null));
  return <ViewerProvider viewer={{ user: data ?? null, isLoading: isPending }}>{children}</ViewerProvider>;
}
