import { createContext, type ReactNode, useContext } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { BASE_CURRENCY, type Currency } from '#contract/money.ts';

interface Viewer {
  /** Null for a visitor. */
  readonly user: SessionUser | null;
  /** Whether the viewer is still unknown; until then nobody is sent to the sign-in page. */
  readonly isLoading: boolean;
}

const ViewerContext = createContext<Viewer | null>(null);

/** Provides the viewer to the page. */
export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

/** The person who looks at the page. @throws Error outside a `ViewerProvider` */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer must be used within a ViewerProvider');
  return viewer;
}

/** Whether what changes something may be offered: a suspended person would be refused. Visitors sign in first. */
export function useMayAct(): boolean {
  return useViewer().user?.status !== 'suspended';
}

/** Renders nothing for a suspended person: what would be refused is not offered. */
export function ActiveOnly({ children }: { children: ReactNode }) {
  return useMayAct() ? children : null;
}

/** The currency to show prices in. */
export function useCurrency(): Currency {
  return useViewer().user?.preferredCurrency ?? BASE_CURRENCY;
}
