import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { Providers } from './providers.tsx';

/** The application around its router. What the server renders has the same components around it. */
export function App({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <StrictMode>
      <Providers queryClient={queryClient}>{children}</Providers>
    </StrictMode>
  );
}
