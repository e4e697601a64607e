import { MantineProvider } from '@mantine/core';
import { type RenderResult, render } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { createMemoryRouter, MemoryRouter, RouterProvider } from 'react-router-dom';
import { expect } from 'vitest';
import type { SessionUser } from '#contract/people/accounts.ts';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { cssVariables } from '#web/theme/css-variables.ts';
import { themeWith } from '#web/theme/theme.ts';
import { misplaced, readRules } from '../../../scripts/checks/spec-rules.ts';

const theme = themeWith({ close: 'Close', dismiss: 'Dismiss' });

/** A signed-in person. `given` overrides fields. */
export function somebody(given: Partial<SessionUser> = {}): SessionUser {
  return {
    id: 1,
    username: 'mia',
    email: 'mia@example.org',
    isEmailVerified: true,
    pendingEmail: null,
    role: 'user',
    status: 'active',
    statusReason: null,
    statusUntil: null,
    preferredCurrency: 'CAD',
    language: 'en',
    country: 'CA',
    bio: null,
    profileImageUrl: null,
    totalRating: 0,
    ratingCount: 0,
    verifiedCoupons: 0,
    successfulExchanges: 0,
    acceptedBids: 0,
    reportCount: 0,
    isFeatured: false,
    lastLoginAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...given,
  };
}

/** What an open dialog gets from its host, for tests of one alone. */
export function Opened({ onClose = () => {}, children }: { onClose?: () => void; children: ReactNode }) {
  return <DialogPlace value={{ isOpen: true, close: onClose }}>{children}</DialogPlace>;
}

/** For what can hold up leaving a page. It keeps its first children. */
function DataRouter({ address, children }: { address: string; children: ReactNode }) {
  const [router] = useState(() =>
    createMemoryRouter([{ path: '*', element: children }], { initialEntries: [address] }),
  );
  return <RouterProvider router={router} />;
}

const rules = readRules();

/** @throws Error where the test that renders names a rule about somebody else, or about another size */
function checkPlace(user: SessionUser | null): void {
  const title = expect.getState().currentTestName ?? '';
  const fault = misplaced(rules, title, { role: user?.role ?? null, width: window.innerWidth });
  if (fault !== null) throw new Error(fault);
}

/**
 * Renders for a viewer (null: a visitor) with theme and router, but without a server. A test with the tag of a rule
 * renders for the person and in the size that the rule states.
 * @param hasDataRouter whether it needs a data router
 */
export function renderFor(
  user: SessionUser | null,
  children: ReactNode,
  address = '/',
  hasDataRouter = false,
): RenderResult {
  checkPlace(user);
  const routed = (inside: ReactNode) =>
    hasDataRouter ? (
      <DataRouter address={address}>{inside}</DataRouter>
    ) : (
      <MemoryRouter initialEntries={[address]}>{inside}</MemoryRouter>
    );
  return render(children, {
    wrapper: ({ children: inside }) => (
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
        <ViewerProvider viewer={{ user, isLoading: false }}>{routed(inside)}</ViewerProvider>
      </MantineProvider>
    ),
  });
}
