import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { setUpApp } from '#server/testing/app.ts';
import { createDeal, move } from '#server/testing/exchanges.ts';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { renderWithServer } from '#web/testing/server.tsx';

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
