import { cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as ExchangesPage } from '#web/pages/exchanges.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';
import { Component as MyCouponsPage } from '#web/pages/my-coupons.tsx';
import { Component as SettingsPage } from '#web/pages/profile-settings.tsx';
import { SuspensionBanner } from '#web/people/accounts/suspension-banner.tsx';
import { Dialogs } from './dialog-outlet.ts';

let server: TestApp;
let viewer: Actor;
beforeAll(async () => {
  server = await createTestApp();
  const { ctx } = server;
  const other = await createUser(ctx);
  viewer = await createUser(ctx);
  const own = await createCoupon(ctx, viewer, { title: 'Own coupon' });
  const foreign = await createCoupon(ctx, other, { title: 'Foreign coupon' });
  const proposal = { requestedCouponId: own.id, offeredCouponId: foreign.id };
  await server.trpc(other, 'mutation', 'exchanges.propose', proposal);
  await server.trpc(other, 'mutation', 'bids.place', { couponId: own.id, amount: '10' });
});
afterAll(() => server.close());

/** A page, a text that shows that it is loaded, and the buttons for which the server refuses suspended people. */
const PAGES: readonly (readonly [string, ReactNode, RegExp, readonly RegExp[]])[] = [
  [
    'home',
    <HomePage key="home" />,
    /Foreign coupon/,
    [/^Exchange$/, /^Bid$/, /^Save Foreign/, /^Report/, /Add a Coupon/],
  ],
  ['my coupons', <MyCouponsPage key="mine" />, /Own coupon/, [/^Edit Own/, /^Delete Own/, /Add a Coupon/]],
  ['bids', <MyBidsPage key="bids" />, /Own coupon/, [/^Accept/, /^Reject|^Decline/]],
  ['exchanges', <ExchangesPage key="exchanges" />, /Own coupon/, [/^Accept/, /^Reject|^Decline/]],
  ['settings', <SettingsPage key="settings" />, /About you/, [/^Save profile$/, /^Change password$/]],
];

const offered = (name: RegExp) => screen.queryAllByRole('button', { name }).length > 0;

describe.each(PAGES)('the page %s', (name, page, loaded, buttons) => {
  const address = name === 'bids' ? '/my-bids?tab=received' : '/';

  it('offers a suspended person nothing that would be refused', async () => {
    renderWithServer(server, viewer, page, { address });
    await screen.findAllByText(loaded);
    for (const button of buttons) {
      await screen.findAllByRole('button', { name: button });
    }
    cleanup();
    renderWithServer(server, { ...viewer, status: 'suspended' }, page, { address });
    await screen.findAllByText(loaded);
    expect(buttons.filter(offered)).toEqual([]);
  });
});

describe('the banner', () => {
  it('tells a suspended person until when, why and where to appeal', async () => {
    const meta = document.head.appendChild(document.createElement('meta'));
    meta.name = 'support-email';
    meta.content = 'help@clipswap.example';
    const suspended = {
      status: 'suspended',
      statusReason: 'Three people complained.',
      statusUntil: '2035-06-22T12:00:00.000Z',
    } as const;
    renderFor(
      somebody(suspended),
      <>
        <SuspensionBanner />
        <Dialogs />
      </>,
    );
    const { textContent } = screen.getByRole('complementary', { name: 'Suspension' });
    expect(textContent).toMatch(/^Your account is suspended until Jun 22, 2035\./);
    press('See why and how to appeal');
    const dialog = await screen.findByRole('dialog', { name: 'Your account is suspended' });
    expect(dialog.textContent).toContain('Reason: Three people complained.');
    expect(dialog.textContent).toContain('You can appeal within 30 days');
    expect(dialog.textContent).toContain('help@clipswap.example');
    meta.remove();
  });

  it('is shown to nobody else', () => {
    renderFor(somebody({ status: 'warned', statusReason: 'Be kind.' }), <SuspensionBanner />);
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});
