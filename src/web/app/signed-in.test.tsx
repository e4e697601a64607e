import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanup, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import { WEB_PAGES } from '#contract/pages.ts';
import { renderFor, somebody } from '#web/testing/render.tsx';
import { SignedIn } from './signed-in.tsx';

afterEach(() => {
  window.history.replaceState(null, '', '/');
});

/** The routes that spec/3 section 2 calls signed-in, except those that decisions 6.1 opened. */
const SIGNED_IN = [
  '/my-coupons',
  '/exchanges',
  '/messages',
  '/transaction-logs',
  '/my-bids',
  '/checkout/:bidId',
  '/payment-complete',
  '/admin',
  '/admin-reports',
  '/discover',
  '/profile',
  '/seller-onboarding',
];

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function show(user: ReturnType<typeof somebody> | null, address: string) {
  window.history.replaceState(null, '', address);
  const route = SIGNED_IN.find((each) => each.split('/')[1] === address.split(/[/?]/)[1]) ?? '';
  renderFor(
    user,
    <>
      <Routes>
        <Route element={<SignedIn />}>
          <Route path={route} element="The page" />
        </Route>
        <Route path="/auth" element="Sign in here" />
      </Routes>
      <Address />
    </>,
    address,
  );
}

it.each(['/discover', '/checkout/7', '/my-bids?tab=received'])(
  'redirects a visitor of %s to /auth and back after signing in',
  async (address) => {
    show(null, address);
    await screen.findByText('Sign in here');
    expect(screen.getByRole('status').textContent).toBe(`/auth?from=${encodeURIComponent(address)}`);
    cleanup();
    show(somebody(), address);
    screen.getByText('The page');
  },
);

it('guards every route for members', () => {
  const source = readFileSync(path.join(import.meta.dirname, 'routes.tsx'), 'utf8');
  expect(source).toContain('{ element: <SignedIn />, children: routesOf(true) }');
  const guarded = WEB_PAGES.filter(({ needsSignIn }) => needsSignIn).map(({ path: route }) => route);
  expect(guarded).toEqual(expect.arrayContaining(SIGNED_IN));
});
