import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpApp } from '#server/testing/app.ts';
import { bidOn } from '#server/testing/bids.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { renderWithServer } from '#web/testing/server.tsx';
import { Component as Home } from './home.tsx';

const server = setUpApp();

it('begins for members with up to three deals that wait for them, for others with what ClipSwap is', async () => {
  const { ctx } = server;
  const [mia, theo] = [
    await createUser(ctx, { username: 'mia' }),
    await createUser(ctx, { username: 'theo' }),
  ];
  for (const amount of ['4.00', '5.00', '6.00', '7.00']) {
    await bidOn(ctx, theo, await createCoupon(ctx, mia, { title: `Worth ${amount}` }), amount);
  }
  const { unmount } = renderWithServer(server, mia, <Home />);
  const waiting = within(await screen.findByRole('region', { name: 'Waiting for you' }));
  await waiting.findByText('theo offers $4.00 CAD.');
  expect(waiting.getAllByRole('listitem')).toHaveLength(3);
  expect(waiting.getAllByText('Worth 4.00').length).toBeGreaterThan(0);
  expect(waiting.getByRole('button', { name: 'Accept: $4.00 CAD for Worth 4.00' })).toBeTruthy();
  expect(waiting.getByRole('link', { name: 'All deals' }).getAttribute('href')).toBe('/deals');
  expect(screen.queryByRole('region', { name: /^Swap coupons/ })).toBeNull();
  unmount();

  const { unmount: leave } = renderWithServer(server, theo, <Home />);
  await screen.findByRole('article', { name: 'Worth 4.00' });
  // The next act is the other's.
  expect(screen.queryByRole('region', { name: 'Waiting for you' })).toBeNull();
  expect(screen.getByRole('heading', { level: 1, name: 'Explore' })).toBeTruthy();
  leave();

  renderWithServer(server, null, <Home />);
  expect(screen.getByRole('region', { name: /^Swap coupons/ })).toBeTruthy();
});
