import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanup, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import { findWebPage, WEB_PAGES } from '#contract/base/pages.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
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
  const page = findWebPage(address.split('?')[0] ?? '')?.page;
  if (!page || page.access === 'everybody') throw new Error(`${address} needs no role`);
  renderFor(
    user,
    <>
      <Routes>
        <Route element={<SignedIn role={page.access} />}>
          <Route path={page.path} element="The page" />
        </Route>
        <Route path="/auth" element="Sign in here" />
      </Routes>
      <Address />
    </>,
    address,
  );
}

it.each(['/discover', '/checkout/7', '/my-bids?tab=received'])(
  'redirects a visitor of %s to /auth and back after signing in [spec/2 2.32 5.13] [spec/3 2.3]',
  async (address) => {
    show(null, address);
    await screen.findByText('Sign in here');
    expect(screen.getByRole('status').textContent).toBe(`/auth?from=${encodeURIComponent(address)}`);
    cleanup();
    show(somebody(), address);
    screen.getByText('The page');
  },
);

it.each([
  ['/my-coupons', 'My Coupons'],
  ['/notifications', 'Notifications'],
])(
  'shows the outline of %s with its title while the viewer is not known yet [decisions 6.0.13]',
  (address, title) => {
    const role = 'user';
    renderFor(
      null,
      <ViewerProvider viewer={{ user: null, isLoading: true }}>
        <Routes>
          <Route element={<SignedIn role={role} />}>
            <Route path={address} element="The page" />
          </Route>
        </Routes>
      </ViewerProvider>,
      address,
    );
    screen.getByRole('heading', { level: 1, name: title });
    expect(screen.getByRole('status').textContent).toBe('Loading');
    expect(document.querySelectorAll('.mantine-Skeleton-root').length).toBeGreaterThan(4);
  },
);

it.each([
  ['user', '/admin'],
  ['moderator', '/admin'],
  ['user', '/admin-reports'],
  ['user', '/claims'],
] as const)('shows a %s the 404 page at %s [spec/3 2.74 4.6]', (role, address) => {
  show(somebody({ role }), address);
  screen.getByRole('heading', { name: '404 Page Not Found' });
  expect(screen.queryByText('The page')).toBeNull();
});

it.each([
  ['moderator', '/admin-reports'],
  ['moderator', '/claims'],
  ['admin', '/claims'],
  ['admin', '/admin'],
] as const)('shows a %s the page %s', (role, address) => {
  show(somebody({ role }), address);
  screen.getByText('The page');
});

it('guards every route for members [spec/2 2.32] [spec/3 2.39]', () => {
  const source = readFileSync(path.join(import.meta.dirname, 'routes.tsx'), 'utf8');
  expect(source).toMatch(/element: <SignedIn role=\{role\} \/>,\s+children: routesFor\(role\)/);
  const guarded = WEB_PAGES.filter(({ access }) => access !== 'everybody').map(({ path: route }) => route);
  expect(guarded).toEqual(expect.arrayContaining(SIGNED_IN));
});
