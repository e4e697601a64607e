import { createContext, type ReactNode, useContext } from 'react';
import { baseCurrency, type Currency } from '#contract/base/money.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { isRestricted } from '#contract/people/roles.ts';

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

/** The signed-in person, on pages that only members see. @throws Error for a visitor */
export function useMember(): SessionUser {
  const { user } = useViewer();
  if (!user) throw new Error('useMember must be used where somebody is signed in');
  return user;
}

/**
 * Whether new deals and other changes may be offered: suspended and banned people would be refused. What they may do to
 * defend what is theirs does not ask this. Visitors sign in first.
 */
export function useMayAct(): boolean {
  const { user } = useViewer();
  return !user || !isRestricted(user.status);
}

/** Renders nothing for suspended and banned people: what would be refused is not offered. */
export function ActiveOnly({ children }: { children: ReactNode }) {
  return useMayAct() ? children : null;
}

/** The currency to show prices in. */
export function useCurrency(): Currency {
  return useViewer().user?.preferredCurrency ?? baseCurrency();
}
