import { t } from '@lingui/core/macro';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { pageConfig } from '#web/lib/page-config.ts';
import { createTrpcClient, trpc } from '#web/lib/trpc.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { useCurrentUser, useResetOnViewerChange } from '#web/people/accounts/viewer-queries.ts';
import { themeWith } from '#web/theme/theme.ts';
import { LaterParts } from './later-parts.tsx';
import { LiveUpdates } from './live-updates.tsx';
import { Toaster } from './toaster.tsx';

declare global {
  /** The scroll lock of dialogs reads the nonce of its style element here. */
  var __webpack_nonce__: string | undefined;
}

globalThis.__webpack_nonce__ = pageConfig.nonce();

const theme = themeWith({ close: t`Close`, dismiss: t`Dismiss` });

/** What every page needs: theme, API client, toasts, and the viewer. */
export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  const [trpcClient] = useState(() => createTrpcClient());
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={pageConfig.nonce}
      // Both are in the style sheet: `theme/theme-sheet.ts`.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <AccountProvider>
            {children}
            <LiveUpdates />
            <LaterParts />
            <Toaster />
          </AccountProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}

/** Loads the signed-in user and provides it as the viewer. */
export function AccountProvider({ children }: { children: ReactNode }) {
  const { data, isPending } = useCurrentUser();
  useResetOnViewerChange(data === undefined ? undefined : (data?.id ?? null));
  return <ViewerProvider viewer={{ user: data ?? null, isLoading: isPending }}>{children}</ViewerProvider>;
}
