import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { NEW_ACCOUNT_DAYS } from '#contract/base/limits.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { HomeFirstSteps } from './home-first-steps.tsx';

const server = setUpApp();
let nora: Actor;
beforeEach(async () => {
  nora = await createUser(server.ctx);
});

const DAY_MS = 86_400_000;
function open(given: { daysAgo?: number; isEmailVerified?: boolean } = {}) {
  const { daysAgo = 0, isEmailVerified = false } = given;
  const createdAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const asked: string[] = [];
  renderWithServer(server, nora, <HomeFirstSteps />, {
    user: { createdAt, isEmailVerified },
    intercept: (procedure) => {
      asked.push(procedure);
      // Here nobody is set up as a payment provider.
      const data = procedure === 'sellers.readiness' && { isReady: false, isAvailable: true };
      return data ? Response.json({ result: { data } }) : undefined;
    },
  });
  return asked;
}

it('tells a new member what to do next, and how much is done', async () => {
  await createCoupon(server.ctx, nora);
  open({ isEmailVerified: true });
  await screen.findByText('2 of 5 done');
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(steps).toEqual([
    'Confirm your email address (done)',
    'Add your first coupon (done)',
    'Start your wish list',
    'Set up how you get paid',
    'Add a picture and a bio',
  ]);
  expect(screen.getByRole('link', { name: 'Start your wish list' }).getAttribute('href')).toBe('/wants');
});

it('stays hidden once it is hidden', async () => {
  open();
  await screen.findByText('0 of 5 done');
  press('Hide these steps');
  expect(screen.queryByText('Get started')).toBeNull();
  cleanup();
  expect(open()).toEqual([]);
});

it('asks nothing for members who are no longer new', () => {
  expect(open({ daysAgo: NEW_ACCOUNT_DAYS + 1 })).toEqual([]);
});

it('goes once all is done', async () => {
  await createCoupon(server.ctx, nora);
  const createdAt = new Date().toISOString();
  renderWithServer(server, nora, <HomeFirstSteps />, {
    user: { createdAt, isEmailVerified: true, bio: 'Tea', profileImageUrl: '/pictures/tea.webp' },
    intercept: (procedure) => {
      const data = {
        'profiles.firstSteps': { hasCoupon: true, hasWish: true },
        'sellers.readiness': { isReady: false, isAvailable: false },
      }[procedure];
      return data && Response.json({ result: { data } });
    },
  });
  await waitFor(() => expect(localStorage.getItem(`clipswap.first-steps.${nora.id}`)).toBe('ended'));
  await waitFor(() => expect(screen.queryByText('Get started')).toBeNull());
});
