import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { refreshHealth, sweepHealth } from '#server/deals/health/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';
import { Component as MerchantPage } from '#web/pages/merchant.tsx';

const server = setUpApp();
let owner: Actor;
let tests = 0;
let merchant: string;

// The browser's clock is the real one.
beforeAll(() => server.ctx.clock.advanceDays((Date.now() - server.ctx.clock().getTime()) / 86_400_000));
beforeEach(async () => {
  owner = await createUser(server.ctx);
  tests += 1;
  merchant = `Zebra Rides ${tests}`;
});

/** A coupon whose code its programme has confirmed or refused so many days ago; null: nobody has asked. */
async function listChecked(isValid: boolean | null, daysAgo = 0) {
  const { ctx } = server;
  const { id, title } = await createCoupon(ctx, owner, { merchant, isVerified: isValid === true });
  if (isValid !== null) {
    const { codeHash } = await ctx.db
      .selectFrom('coupons')
      .select('codeHash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('validations')
      .values({
        ...{ couponId: id, codeHash: codeHash ?? '', source: 'auto', validatedWith: 'voucherify' },
        ...{ isValid, isConfirmed: isValid, verdict: JSON.stringify({ confirmed: true }) },
        createdAt: addDays(new Date(), -daysAgo),
      })
      .execute();
  }
  await refreshHealth(ctx);
  return { id, title };
}

const show = (address: string) =>
  renderWithServer(
    server,
    null,
    <Routes>
      <Route path="/" element={<HomePage />} />
      <Route path="/coupons/:id" element={<CouponPage />} />
      <Route path="/merchants/:name" element={<MerchantPage />} />
    </Routes>,
    { address },
  );

it('a card says when the merchant last confirmed the code, and nothing where it has not', async () => {
  const [lately, today, unknown, refused] = [
    await listChecked(true, 2.5),
    await listChecked(true),
    await listChecked(null),
    await listChecked(false),
  ];
  show(`/?merchant=${encodeURIComponent(merchant)}`);
  const card = async ({ title }: { title: string }) =>
    within(await screen.findByRole('article', { name: title }));
  (await card(lately)).getByText('Checked 2 days ago');
  (await card(today)).getByText('Checked today');
  for (const coupon of [unknown, refused]) expect((await card(coupon)).queryByText(/^Checked/)).toBeNull();
});

it('a coupon’s page says how likely its code is to work, and why', async () => {
  const { id } = await listChecked(true, 2.5);
  show(`/coupons/${id}`);
  const words = within(await screen.findByRole('region', { name: 'Does the code work?' }));
  words.getByText('Very likely to work');
  expect(words.getByText(/of 100$/).textContent).toMatch(/^8\d of 100$/);
});

it('a coupon’s page warns of a code that its merchant refuses', async () => {
  const { id } = await listChecked(false, 1.5);
  show(`/coupons/${id}`);
  const words = within(await screen.findByRole('region', { name: 'Does the code work?' }));
  words.getByText('Doubtful');
  words.getByText(/^The merchant refused the code/);
});

it('a coupon’s page says nothing where nothing is known', async () => {
  const { id, title } = await listChecked(null);
  show(`/coupons/${id}`);
  await screen.findByRole('heading', { name: title, level: 1 });
  expect(screen.queryByText(/of 100$/)).toBeNull();
});

it('a merchant’s page says how many of its codes work', async () => {
  for (const isValid of [true, true, false]) await listChecked(isValid);
  await sweepHealth(server.ctx);
  show(`/merchants/${encodeURIComponent(merchant)}`);
  await screen.findByText('In the last 90 days, the merchant confirmed 2 of 3 codes that we asked about.');
});
