import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { address } from '#tests/support/web/acts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { preloadAll } from '#web/components/on-demand.tsx';
import { useViewer, ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as AuthPage } from '#web/pages/auth.tsx';
import { Header } from './header.tsx';
import { PhoneBar } from './shell.tsx';

const server = setUpApp();
let mia: Actor;
const user = () => somebody({ id: mia.id, username: 'mia', email: 'mia@example.org' });

beforeAll(async () => {
  mia = await createUser(server.ctx, { username: 'mia' });
});
afterEach(() => {
  Reflect.get(window, 'happyDOM').setViewport({ width: 1024 });
});

function show(isSignedIn: boolean) {
  const asked: string[] = [];
  renderWithServer(
    server,
    mia,
    <ViewerProvider viewer={{ user: isSignedIn ? user() : null, isLoading: false }}>
      <Header />
      <PhoneBar />
    </ViewerProvider>,
    {
      intercept: (procedure) => {
        asked.push(procedure);
        return undefined;
      },
    },
  );
  return asked;
}

it('on small screens has the same links in a drawer, the person, Profile, Sign out and the year [spec/1 2.18 2.19]', async () => {
  Reflect.get(window, 'happyDOM').setViewport({ width: 390 });
  show(true);
  expect(screen.getByRole('link', { name: /^ClipSwap/ }).getAttribute('href')).toBe('/');
  fireEvent.click(await screen.findByRole('button', { name: 'Me' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }));
  const links = drawer
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')] as const);
  expect(links).toEqual(
    expect.arrayContaining([
      ['Explore', '/'],
      ['My Coupons', '/my-coupons'],
      ['Matches', '/matches'],
      ['Bids', '/my-bids'],
      ['Exchanges', '/exchanges'],
      ['Messages', '/messages'],
      ['Leaderboard', '/leaderboard'],
      ['Transaction Logs', '/transaction-logs'],
      ['Discover', '/discover'],
      ['Validate', '/validate-coupon'],
      ['How It Works', '/how-it-works'],
      ['Profile', '/profile'],
      ['Settings', '/profile-settings'],
    ]),
  );
  drawer.getByText('mia');
  drawer.getByText('mia@example.org');
  drawer.getByText(`© ${new Date().getFullYear()} ClipSwap`);
  fireEvent.click(drawer.getByRole('button', { name: 'Sign out' }));
  await screen.findByText('You have been successfully logged out');
});

it.each([
  [767, true],
  [768, false],
])('at %i px the links are in a drawer: %s [spec/3 2.5]', async (width, isMenu) => {
  Reflect.get(window, 'happyDOM').setViewport({ width });
  show(false);
  await preloadAll();
  expect(screen.queryByRole('button', { name: 'Menu' }) !== null).toBe(isMenu);
});

it('requests notifications only for a signed-in person [spec/1 6.4 7.5]', async () => {
  expect(show(false)).toEqual([]);
  expect(screen.queryByRole('button', { name: /^Notifications/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth?from=%2F');
  cleanup();
  const requested = show(true);
  await screen.findByRole('button', { name: /^Notifications/ });
  expect(requested).toContain('notifications.unreadCount');
});

it('redirects a signed-in person from the sign-in page to the home page [spec/1 2.23]', () => {
  renderFor(
    somebody(),
    <Routes>
      <Route path="/auth" element={<AuthPage />} />
      <Route path="/" element="The coupons" />
    </Routes>,
    '/auth',
  );
  screen.getByText('The coupons');
});

it('the sign-in page has the tabs Login and Register [spec/1 2.22]', async () => {
  renderWithServer(
    server,
    mia,
    <ViewerProvider viewer={{ user: null, isLoading: false }}>
      <AuthPage />
    </ViewerProvider>,
    { address: '/auth?from=%2Fdiscover' },
  );
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Login', 'Register']);
  await screen.findByRole('button', { name: 'Sign in' });
  fireEvent.click(screen.getByRole('tab', { name: 'Register' }));
  await screen.findByRole('button', { name: 'Create account' });
  expect(address()).toContain('from=%2Fdiscover');
});

it('useViewer throws outside a ViewerProvider [spec/1 8.18]', () => {
  function Outside() {
    useViewer();
    return null;
  }
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => render(<Outside />)).toThrow('useViewer must be used within a ViewerProvider');
  consoleError.mockRestore();
});
