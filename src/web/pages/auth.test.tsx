import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { paths } from '#contract/base/pages.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as AuthPage } from './auth.tsx';

const server = setUpApp();

const open = (from: string) =>
  renderWithServer(server, null, <AuthPage />, { address: paths.authFrom(from) });

it('says what the person came for', async () => {
  const owner = await createUser(server.ctx);
  const { id } = await createCoupon(server.ctx, owner, { title: 'Thirty <b>off</b> a phone' });
  const title = '“Thirty <b>off</b> a phone”';
  for (const [from, purpose] of [
    [paths.bidFor(id), `Sign in or register to bid on ${title}.`],
    [paths.buyFor(id), `Sign in or register to buy ${title}.`],
    [paths.exchangeFor(id), `Sign in or register to propose an exchange for ${title}.`],
    [paths.validateFor(id), `Sign in or register to check ${title}.`],
    [paths.coupon(id), `Sign in or register to continue with ${title}.`],
  ] as const) {
    const { unmount } = open(from);
    await screen.findByText(purpose);
    unmount();
  }
});

it.each(['', '/my-coupons', paths.bidFor(2_000_000_000), '//elsewhere.example/coupons/1', '?'])(
  'says what ClipSwap is for to those who come from %j',
  async (from) => {
    open(from);
    expect(await screen.findByText(/^Swap the coupons you won’t use/)).toBeTruthy();
  },
);
