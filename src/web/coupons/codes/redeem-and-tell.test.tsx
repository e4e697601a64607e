import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { createDeal, move } from '#tests/support/exchanges.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';

const server = setUpApp();

function openPage(who: Actor, id: number) {
  const page = (
    <Routes>
      <Route path="/coupons/:id" element={<CouponPage />} />
    </Routes>
  );
  return renderWithServer(server, who, page, { address: `/coupons/${id}` });
}

async function openCode(): Promise<ReturnType<typeof within>> {
  fireEvent.click(await screen.findByRole('button', { name: 'Show code' }));
  return within(await screen.findByRole('dialog', { name: 'Your coupon code' }));
}

it('the code dialog asks whether the code worked, once the coupon was got in a deal', async () => {
  const { ctx } = server;
  const deal = await createDeal(ctx, 'accepted');
  const before = openPage(deal.owner, deal.requested.id);
  const own = await openCode();
  await own.findByRole('tablist');
  expect(own.queryByRole('group', { name: /^Did it work/ })).toBeNull();
  before.unmount();

  await move(ctx, deal.requester, deal.id, 'completed');
  openPage(deal.requester, deal.requested.id);
  const got = await openCode();
  fireEvent.click(await got.findByRole('button', { name: 'Worked' }));
  await got.findByRole('button', { name: 'Worked', pressed: true });
});

it('“Didn’t work” is the claim, as long as there can be one', async () => {
  const { ctx } = server;
  const { requester, requested, id } = await createDeal(ctx, 'accepted');
  await move(ctx, requester, id, 'completed');
  openPage(requester, requested.id);
  const code = await openCode();
  fireEvent.click(await code.findByRole('button', { name: 'Didn’t work' }));
  const claim = within(await screen.findByRole('dialog', { name: 'The code does not work' }));
  fireEvent.change(claim.getByLabelText(/^What happened/), {
    target: { value: 'The till says that it was used in May.' },
  });
  fireEvent.click(claim.getByRole('button', { name: 'Send claim' }));
  await code.findByRole('button', { name: 'Didn’t work', pressed: true });
  fireEvent.click(code.getByRole('button', { name: 'Didn’t work' }));
  await screen.findByText(/^You cannot make a claim about this code/);
  expect(screen.queryByRole('dialog', { name: 'The code does not work' })).toBeNull();
});

it('goes on to the other codes of a merchant, and reveals each only when somebody goes there', async () => {
  const { ctx } = server;
  const owner = await createUser(ctx);
  const given = { merchant: 'Till & Sons', title: 'Soup' };
  const soup = await createCoupon(ctx, owner, given);
  const bread = await createCoupon(ctx, owner, { ...given, title: 'Bread' });
  const seen = async () => {
    const { db } = ctx;
    const rows = await db
      .selectFrom('couponReveals')
      .select('couponId')
      .where('userId', '=', owner.id)
      .execute();
    return rows.map(({ couponId }) => couponId).sort((one, another) => one - another);
  };
  openPage(owner, soup.id);
  const own = await openCode();
  await own.findByText('1 of 2 at Till & Sons');
  expect((await own.findByLabelText('Coupon code')).textContent).toBe(soup.code);
  expect(await seen()).toEqual([soup.id]);

  fireEvent.click(own.getByRole('button', { name: 'Next' }));
  await own.findByText('2 of 2 at Till & Sons');
  own.getByText('Bread, Till & Sons');
  expect(own.queryByText(soup.code)).toBeNull();
  await own.findByText(bread.code);
  expect(await seen()).toEqual([soup.id, bread.id]);

  fireEvent.click(own.getByRole('button', { name: 'Mark as used' }));
  await vi.waitFor(() => expect(own.queryByRole('button', { name: 'Mark as used' })).toBeNull(), WAIT_MS);
  own.getByText('2 of 2 at Till & Sons');
});
