import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { bidOn, makeReady, moveBid } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { propose } from '#tests/support/exchanges.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { address } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as Deals } from './deals.tsx';

const server = setUpApp();
let mia: Actor;
let theo: Actor;

beforeAll(async () => {
  const { ctx } = server;
  mia = await createUser(ctx, { username: 'mia' });
  theo = await createUser(ctx, { username: 'theo' });
  await makeReady(ctx, theo);
  const coupon = (owner: Actor, title: string) => createCoupon(ctx, owner, { title });
  await bidOn(ctx, theo, await coupon(mia, 'Tea for two'), '12.00');
  await bidOn(ctx, mia, await coupon(theo, 'Bread'), '7.00');
  const toPay = await bidOn(ctx, mia, await coupon(theo, 'Bicycle bell'), '9.00');
  await moveBid(ctx, theo, toPay.id, 'accepted');
  const swap = { requested: await coupon(mia, 'Cake'), offered: await coupon(theo, 'Map') };
  await propose(ctx, theo, swap);
});

const rowsOf = (heading: string) =>
  within(screen.getByRole('region', { name: heading })).getAllByRole('listitem');
const row = (text: string) => {
  const found = screen.getByText(text).closest('li');
  if (!found) throw new Error(`No row says ${text}`);
  return within(found);
};

it('each deal says where it stands, by when, and has one button for the next act, the rest behind ⋯', async () => {
  renderWithServer(server, mia, <Deals />, { address: '/deals' });
  await screen.findByRole('heading', { name: 'Your turn' });
  expect(rowsOf('Your turn')).toHaveLength(3);
  expect(rowsOf('Waiting for others')).toHaveLength(1);

  const toPay = row('You buy this from theo for $9.00 CAD.');
  expect(toPay.getByRole('link', { name: /^Pay Now/ }).getAttribute('href')).toMatch(/^\/checkout\//);
  toPay.getByText(/^Pay within/);
  const swap = row('theo proposes this exchange.');
  swap.getByText(/^Answer within/);
  expect(swap.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Accept', '']);
  const own = row('You bid theo $7.00 CAD.');
  own.getByText(/^To be answered within/);

  const offer = row('theo bids $12.00 CAD.');
  fireEvent.click(offer.getByRole('button', { name: /^More/ }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Counter', 'Reject', 'Messages', 'Details']);
  fireEvent.click(offer.getByRole('button', { name: 'Accept: $12.00 CAD for Tea for two' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Accept this bid?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Accept bid' }));
  await screen.findByText('You sell this to theo for $12.00 CAD.');
  expect(screen.getByRole('link', { name: 'Set up payments' })).toBeTruthy();
  cleanup();

  renderWithServer(server, theo, <Deals />, { address: '/deals' });
  await screen.findByText('You buy this from mia for $12.00 CAD.');
  const unready = row('You buy this from mia for $12.00 CAD.');
  unready.getByText(/^mia still has to set up a payment account/);
  expect(unready.getByRole('link', { name: /^Pay Now/ }).getAttribute('href')).toMatch(/^\/checkout\//);
});

it('deals with a claim are a view of their own', async () => {
  await insertLegClaim(server.ctx, theo, mia);
  renderWithServer(server, mia, <Deals />, { address: '/deals?only=claims' });
  await screen.findByText('theo claims that your code does not work.');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  screen.getByText(/^Answer within/);
  expect(screen.getByRole('link', { name: /^Answer claim/ }).getAttribute('href')).toMatch(
    /\?exchange=\d+&answer=\d+$/,
  );
  const claims = screen.getByRole('link', { name: 'Claims' });
  expect(claims.getAttribute('aria-current')).toBe('page');
  fireEvent.click(screen.getByRole('link', { name: 'All' }));
  expect(address()).toBe('/deals');
});

it('somebody without deals is shown the way to the coupons', async () => {
  renderWithServer(server, await createUser(server.ctx), <Deals />, { address: '/deals' });
  await screen.findByText('No deals yet');
  expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
});

it('who claims that a bought code does not work reads whose word is awaited, and until when', async () => {
  const buyer = await createUser(server.ctx);
  await insertHeldSale(server.ctx, buyer, theo, { withClaim: true });
  renderWithServer(server, buyer, <Deals />, { address: '/deals' });
  await screen.findByText('You claim that the code from theo does not work.');
  screen.getByText(/^The seller can answer until .*\. Then a moderator decides\./);
});
