import type { ReactNode } from 'react';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { useCurrentUser, useOnePersonsData } from './queries.ts';

/** Reads at load who is there, and tells the whole page. */
export function AccountProvider({ children }: { children: ReactNode }) {
  const { data, isPending } = useCurrentUser();
  useOnePersonsData(data === undefined ? undefined : (data?.id ?? null));
  return <ViewerProvider viewer={{ user: data ?? null, isLoading: isPending }}>{children}</ViewerProvider>;
}
