import { createContext, type ReactNode, useContext } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { BASE_CURRENCY, type Currency } from '#contract/money.ts';

interface Viewer {
  /** Null for a visitor. */
  readonly user: SessionUser | null;
  /** Until it is known who is there, nobody is sent to the sign-in page. */
  readonly isLoading: boolean;
}

const ViewerContext = createContext<Viewer | null>(null);

/** Tells the page who is looking. */
export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

/** Who is looking. @throws Error outside a `ViewerProvider` */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer must be used within a ViewerProvider');
  return viewer;
}

/** The currency to show prices in. */
export function useCurrency(): Currency {
  return useViewer().user?.preferredCurrency ?? BASE_CURRENCY;
}
