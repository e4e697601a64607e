import { act, fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { askFor } from '#web/lib/prompts.ts';
import { Component as CouponPage } from '#web/pages/coupon.tsx';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ standIns: ['mail'] });
});
afterAll(() => server.close());

it('who deals without a confirmed address is led to the mail, and goes on once it is confirmed', async () => {
  const person = await createUser(server.ctx, { email: 'una@example.org', emailVerifiedAt: null });
  renderWithServer(server, person, null);
  const [left] = await act(async () => [askFor('address_unconfirmed')]);
  await screen.findByRole('dialog', { name: 'Confirm your address first' });
  await screen.findByText('una@example.org');
  // The sandbox stands in for mail.
  const link = await screen.findByRole('link', { name: 'Open the email' });
  expect(link.getAttribute('href')).toBe('/sandbox/mail/to/una%40example.org');
  expect(link.getAttribute('target')).toBe('_blank');
  press('Send the link again');
  await screen.findByText('Link sent');
  press('Close');
  expect(await left).toBe(false);

  const [answer] = await act(async () => [askFor('address_unconfirmed')]);
  await screen.findByRole('dialog', { name: 'Confirm your address first' });
  const confirmed = { emailVerifiedAt: server.ctx.clock() };
  await server.ctx.db.updateTable('users').set(confirmed).where('id', '=', person.id).execute();
  // She comes back from the tab of her mail.
  fireEvent(document, new Event('visibilitychange'));
  expect(await answer).toBe(true);
});

it.each([
  ['bid', 'Place a Bid'],
  ['buy', 'Buy now'],
  ['exchange', 'Propose Exchange'],
] as const)('who came to %s confirms the address before anything is typed', async (act, title) => {
  const [owner, person] = [
    await createUser(server.ctx),
    await createUser(server.ctx, { emailVerifiedAt: null }),
  ];
  const { id } = await createCoupon(server.ctx, owner, { askingPrice: '20.00' });
  renderWithServer(
    server,
    person,
    <Routes>
      <Route path="/coupons/:id" element={<CouponPage />} />
    </Routes>,
    { address: `/coupons/${id}?${act}=1`, user: { isEmailVerified: false } },
  );
  await screen.findByRole('dialog', { name: 'Confirm your address first' });
  expect(screen.queryByRole('dialog', { name: title })).toBeNull();
  // Whatever it is, it goes on in the same way, once the page has asked again.
  if (act !== 'bid') return;
  const confirmed = { emailVerifiedAt: server.ctx.clock() };
  await server.ctx.db.updateTable('users').set(confirmed).where('id', '=', person.id).execute();
  fireEvent(document, new Event('visibilitychange'));
  await screen.findByRole('dialog', { name: title });
});
