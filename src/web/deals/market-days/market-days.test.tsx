import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { runMarketDay } from '#server/deals/market-days/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { Component as MarketDayPage } from '#web/pages/market-day.tsx';
import { Component as MatchesPage } from '#web/pages/matches.tsx';
import { Component as WantsPage } from '#web/pages/wants.tsx';

const server = setUpApp();
let me: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
  // Plans the next one.
  await runMarketDay(server.ctx, new AbortController().signal);
});

const show = (address: string) =>
  renderWithServer(
    server,
    me,
    <Routes>
      <Route path="/coupons/:id" element={<CouponPage />} />
      <Route path="/wants" element={<WantsPage />} />
      <Route path="/matches" element={<MatchesPage />} />
      <Route path="/market-days/:day" element={<MarketDayPage />} />
    </Routes>,
    { address },
  );

const SWAP = /^Swap without asking me again/;

describe('market day', () => {
  it('swaps for a wish without asking once its person has agreed, until they take it back', async () => {
    await createCoupon(server.ctx, me, { title: 'Carrot cake' });
    await server.trpc(me, 'mutation', 'wants.create', { search: 'tea', gives: 'any' });
    show('/wants');
    fireEvent.click(await screen.findByRole('button', { name: SWAP }));
    const dialog = within(await screen.findByRole('dialog', { name: SWAP }));
    fireEvent.click(await dialog.findByRole('checkbox', { name: /^Carrot cake/ }));
    dialog.getByText(
      /^If we find it, “Carrot cake” becomes one of these on market day, at 8:00 PM UTC, without asking/,
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Agree' }));
    await screen.findByText(/^On market day we swap for this without asking you, until Jul 15, 2035\.$/);
    press(/^Take back/);
    await screen.findByText('Taken back');
    await screen.findByRole('button', { name: SWAP });
  });

  it('has nothing to ask for a wish that gives nothing', async () => {
    await server.trpc(me, 'mutation', 'wants.create', { search: 'tea' });
    show('/wants');
    await screen.findByText('I would give nothing: just alert me');
    if (screen.queryByRole('button', { name: SWAP })) throw new Error('It asks');
  });

  it('names the coupons that may go, and takes one back', async () => {
    const { id: couponId } = await createCoupon(server.ctx, me, { title: 'Carrot cake' });
    await server.trpc(me, 'mutation', 'marketDays.consentForCoupon', {
      ...{ couponId, minValue: null, until: '2035-07-01' },
    });
    show('/matches');
    await screen.findByText('“Carrot cake” may go, until Jul 1, 2035.');
    press(/^Take back/);
    await screen.findByText('We will ask you before “Carrot cake” is swapped.');
  });

  it('lets a coupon go from its page, and its dialog says so the next time', async () => {
    const { id } = await createCoupon(server.ctx, me, { title: 'Carrot cake' });
    show(`/coupons/${id}`);
    fireEvent.click(await screen.findByRole('button', { name: SWAP }));
    fireEvent.click(await screen.findByRole('button', { name: 'Agree' }));
    await screen.findByText('Agreed');
    fireEvent.click(await screen.findByRole('button', { name: SWAP }));
    await screen.findByText(
      /^On market day it may go for something on your wish list, until Jul 15, 2035\.$/,
    );
  });

  it('says of a day when it begins, and of another that there was none', async () => {
    show('/market-days/2035-06-15');
    await screen.findByText(/^It begins on Jun 15, 2035/);
    show('/market-days/2001-01-01');
    await screen.findByText('There was no market day on this day');
  });
});
