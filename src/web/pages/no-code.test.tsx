import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as CouponPage } from './coupon.tsx';
import { Component as ExchangesPage } from './exchanges.tsx';
import { Component as MyBidsPage } from './my-bids.tsx';
import { Component as MyCouponsPage } from './my-coupons.tsx';

const server = setUpApp();
let owner: Actor;
let other: Actor;
let bare: TestCoupon;

beforeEach(async () => {
  owner = await createUser(server.ctx);
  other = await createUser(server.ctx);
  bare = await createCoupon(server.ctx, owner, { title: 'Nothing on file', code: null });
});

function show(who: Actor, address: string) {
  renderWithServer(
    server,
    who,
    <ViewerProvider viewer={{ user: somebody(who), isLoading: false }}>
      <Routes>
        <Route path="/coupons/:id" element={<CouponPage />} />
        <Route path="/my-coupons" element={<MyCouponsPage />} />
        <Route path="/my-bids" element={<MyBidsPage />} />
        <Route path="/exchanges" element={<ExchangesPage />} />
      </Routes>
    </ViewerProvider>,
    { address },
  );
}

const post = (who: Actor, path: string, input: unknown) => server.trpc(who, 'mutation', path, input);

describe('a coupon without a code', () => {
  it('says on its page that there is none, and what follows [decisions 2.13.1]', async () => {
    show(other, `/coupons/${bare.id}`);
    const ticket = await screen.findByRole('article', { name: bare.title });
    within(ticket).getByText('No code on file');
    within(ticket).getByText(/the owner has to hand it over/);
  });

  it.each(['/my-coupons', 'its page'])(
    'asks its owner on %s to add the code [decisions 2.13.1]',
    async (place) => {
      show(owner, place === 'its page' ? `/coupons/${bare.id}` : place);
      const ticket = await screen.findByRole('article', { name: bare.title });
      within(ticket).getByText('No code on file');
      press('Add the code');
      await dialog('Edit coupon');
    },
  );
});

describe('a bid on a coupon without a code', () => {
  it('is placed only after a confirmation that nothing will be revealed', async () => {
    show(other, `/coupons/${bare.id}?bid=1`);
    const question = await dialog('Place a Bid');
    within(question).getByText(/You will not see a code/);
    fireEvent.change(screen.getByLabelText(/^Your bid \(CAD\)/), { target: { value: '20' } });
    const send = () => press('Place bid');
    send();
    await within(question).findByText('Please confirm that you understand this');
    fireEvent.click(within(question).getByRole('checkbox'));
    send();
    await screen.findByText('Bid placed');
  });

  it('tells its owner on accepting that nothing will be revealed', async () => {
    await post(other, 'bids.place', { couponId: bare.id, amount: '20.00', acknowledgeNoCode: true });
    show(owner, '/my-bids?tab=received');
    fireEvent.click(await screen.findByRole('button', { name: /^Accept:/ }));
    const question = await dialog('Accept this bid?');
    await within(question).findByText(/will not see a code/);
  });
});

describe('an exchange of coupons without a code', () => {
  it('tells the requester that nothing will be revealed, of both coupons', async () => {
    await createCoupon(server.ctx, other, { title: 'Bare too', code: null });
    show(other, `/coupons/${bare.id}?exchange=1`);
    const question = await dialog('Propose Exchange');
    within(question).getByText(/You will not see a code/);
    fireEvent.click(await within(question).findByRole('checkbox', { name: /Bare too/ }));
    within(question).getByText(new RegExp(`${owner.username} will not see a code`));
  });

  it('tells its owner on accepting that nothing will be revealed, of both coupons', async () => {
    const offered = await createCoupon(server.ctx, other, { code: null });
    await post(other, 'exchanges.propose', { requestedCouponId: bare.id, offeredCouponId: offered.id });
    show(owner, '/exchanges');
    fireEvent.click(await screen.findByRole('button', { name: 'Accept' }));
    const question = await dialog('Accept exchange');
    within(question).getByText(/You will not see a code/);
    within(question).getByText(new RegExp(`${other.username} will not see a code`));
  });
});
