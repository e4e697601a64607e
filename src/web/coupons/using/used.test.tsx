import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';

const server = setUpApp();

it('an owner marks a coupon as used where they see its code, and takes it back on its page', async () => {
  const owner = await createUser(server.ctx);
  const { id, title } = await listCoupon(server.ctx, owner);
  const page = (
    <Routes>
      <Route path="/coupons/:id" element={<CouponPage />} />
    </Routes>
  );
  renderWithServer(server, owner, page, { address: `/coupons/${id}` });
  fireEvent.click(await screen.findByRole('button', { name: 'Show code' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Your coupon code' }));
  fireEvent.click(await dialog.findByRole('button', { name: 'Mark as used' }));
  await screen.findByText('Marked as used');
  const ticket = within(await screen.findByRole('article', { name: title, hidden: true }));
  await ticket.findByText('Used');
  expect(ticket.queryByRole('button', { name: `Edit ${title}`, hidden: true })).toBeNull();

  fireEvent.click(await ticket.findByRole('button', { name: 'Undo', hidden: true }));
  await screen.findByText('Marked as not used');
  await ticket.findByRole('button', { name: 'Mark as used', hidden: true });
  expect(ticket.queryByText('Used')).toBeNull();
});
