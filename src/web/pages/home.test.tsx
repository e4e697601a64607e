import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, expect, it } from 'vitest';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import { setUpApp } from '#tests/support/app.ts';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { preloadAll } from '#web/components/on-demand.tsx';
import { Component as Coupon } from './coupon.tsx';
import { Component as Home } from './home.tsx';

const server = setUpApp();
beforeAll(preloadAll);

it('begins for visitors and for members without a deal with what ClipSwap is, for others with up to three deals that wait for them [spec/1 2.25]', async () => {
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
  await waiting.findByText('theo bids $4.00 CAD.');
  expect(waiting.getAllByRole('listitem')).toHaveLength(3);
  expect(waiting.getAllByText('Worth 4.00').length).toBeGreaterThan(0);
  expect(waiting.getByRole('button', { name: 'Accept: $4.00 CAD for Worth 4.00' })).toBeTruthy();
  expect(waiting.getByRole('link', { name: 'All deals' }).getAttribute('href')).toBe('/deals');
  waiting.getByRole('button', { name: 'Add a Coupon' });
  expect(waiting.getByRole('link', { name: 'How It Works' }).getAttribute('href')).toBe('/how-it-works');
  expect(screen.queryByRole('region', { name: /^Swap coupons/ })).toBeNull();
  unmount();

  const { unmount: leave } = renderWithServer(server, theo, <Home />);
  await screen.findByRole('article', { name: 'Worth 7.00' });
  // Listed at once: one ticket.
  expect(screen.queryByRole('article', { name: 'Worth 4.00' })).toBeNull();
  screen.getByRole('button', { name: 'Show 3 more from mia' });
  // The next act is the other's.
  expect(screen.queryByRole('region', { name: 'Waiting for you' })).toBeNull();
  const explore = within(screen.getByRole('region', { name: 'Explore' }));
  explore.getByRole('heading', { level: 1 });
  explore.getByRole('button', { name: 'Add a Coupon' });
  explore.getByRole('link', { name: 'How It Works' });
  leave();

  for (const viewer of [await createUser(ctx), null]) {
    const { unmount: close } = renderWithServer(server, viewer, <Home />);
    const hero = within(await screen.findByRole('region', { name: /^Swap coupons/ }));
    hero.getByRole('heading', { level: 1 });
    hero.getByRole('button', { name: 'Add a Coupon' });
    expect(hero.getByRole('link', { name: 'How It Works' }).getAttribute('href')).toBe('/how-it-works');
    await screen.findByRole('article', { name: 'Worth 7.00' });
    expect(screen.queryByRole('region', { name: 'Explore' })).toBeNull();
    close();
  }
});

it('shows the coupons that were opened last, those of others that are on offer, until they are cleared', async () => {
  const { ctx } = server;
  const [mia, theo] = [await createUser(ctx), await createUser(ctx)];
  const own = await createCoupon(ctx, theo, { title: 'My own' });
  const gone = await createCoupon(ctx, mia, { title: 'Gone' });
  const [older, newer] = [
    await createCoupon(ctx, mia, { title: 'Opened first', merchant: 'One' }),
    await createCoupon(ctx, mia, { title: 'Opened last', merchant: 'Two' }),
  ];
  for (const { id, title } of [gone, newer, older, own, newer]) {
    const { unmount } = renderWithServer(
      server,
      theo,
      <Routes>
        <Route path="/coupons/:id" element={<Coupon />} />
      </Routes>,
      { address: `/coupons/${id}` },
    );
    await screen.findByRole('heading', { level: 1, name: title });
    unmount();
  }
  await server.call(mia, { method: 'DELETE', url: `/api/coupons/${gone.id}` });
  const kept = () => localStorage.getItem(`clipswap.typed.${theo.id}.viewed`);
  expect(kept()).toBe(JSON.stringify([newer.id, older.id, gone.id]));

  renderWithServer(server, theo, <Home />);
  const row = within(await screen.findByRole('region', { name: 'Recently viewed' }));
  await row.findByText('Opened last');
  expect(row.getAllByRole('article').map((ticket) => ticket.getAttribute('aria-label'))).toEqual([
    'Opened last',
    'Opened first',
  ]);
  await waitFor(() => expect(kept()).toBe(JSON.stringify([newer.id, older.id])));
  press('Clear');
  expect(screen.queryByRole('region', { name: 'Recently viewed' })).toBeNull();
  expect(kept()).toBe('[]');
});

it('has a link to the coupons of each category', async () => {
  renderWithServer(server, null, <Home />, { address: '/?category=food' });
  const tiles = within(screen.getByLabelText('Categories'));
  const links = tiles.getAllByRole('link', { hidden: true });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    CATEGORIES.map((category) => `/?category=${category}`),
  );
  expect(tiles.getByRole('link', { current: true, hidden: true }).textContent).toBe('Food');
});
