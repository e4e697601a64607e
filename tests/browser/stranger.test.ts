import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReadySeller } from '#tests/support/bids.ts';
import { createCoupon } from '#tests/support/builders.ts';
import { expectGoodState, settle, WINDOWS } from './good-pages.ts';
import {
  addAuthenticator,
  closePages,
  expectNoLayoutJump,
  openPage,
  placeOf,
  sharedBrowser,
} from './harness.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = await openSite({ withDemo: false, host: 'localhost' });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it.each([
  ['5 inputs', false, 5],
  ['2 inputs, with a passkey and an address that the browser keeps', true, 2],
] as const)(
  'a stranger on a coupon’s page sends an offer over 3 screens, with %s',
  async (_, hasPasskey, most) => {
    const owner = await createReadySeller(site.ctx);
    const { id } = await createCoupon(site.ctx, owner, { title: 'Thirty off a phone' });
    const opened = await openPage(browser, { baseUrl: site.baseUrl, width: 390 });
    const { page } = opened;
    if (hasPasskey) await addAuthenticator(page);
    const screens: string[] = [];
    page.on('framenavigated', (frame) => {
      const { pathname } = new URL(frame.url());
      if (frame === page.mainFrame() && pathname !== screens.at(-1)) screens.push(pathname);
    });
    let inputs = 0;
    const give = async (act: (field: Locator) => Promise<void>, field: Locator) => {
      inputs += 1;
      await act(field);
    };
    const fill = (label: string, text: string) =>
      give((field) => field.fill(text), page.getByLabel(label).first());

    await page.goto(`/coupons/${id}`);
    await page.getByRole('button', { name: 'Bid' }).click();
    await page.getByText('to bid on “Thirty off a phone”').waitFor();
    await page.getByRole('tab', { name: 'Register' }).click();
    // What a browser keeps it fills in itself.
    if (hasPasskey) await page.getByLabel('Email address').fill('stranger.2@example.org');
    else {
      await fill('Email address', 'stranger@example.org');
      await fill('Password', 'seven lean cows');
      await fill('Confirm password', 'seven lean cows');
    }
    await give((tick) => tick.check(), page.getByLabel(/18 or older/));
    const how = hasPasskey ? 'Create account with a passkey' : 'Create account';
    await page.getByRole('button', { name: how, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Place a Bid' });
    await fill('Your bid (CAD)', '12.50');
    await expectGoodState(opened, [WINDOWS[1], WINDOWS[0]]);
    await dialog.getByRole('button', { name: 'Place bid' }).click();
    // The offer waits for the address to be confirmed, and is sent then.
    await page.getByRole('dialog', { name: 'Confirm your address first' }).waitFor();
    await site.ctx.db.updateTable('users').set({ emailVerifiedAt: site.ctx.clock() }).execute();
    await page.waitForURL('/my-bids');
    const sent = site.ctx.db.selectFrom('bids').select('amount').where('couponId', '=', id);
    expect(await sent.execute()).toEqual([{ amount: '12.50' }]);
    expect(inputs).toBe(most);
    expect(screens.slice(0, -1)).toEqual([`/coupons/${id}`, '/auth', `/coupons/${id}`]);
    expect(screens.at(-1)).toBe('/my-bids');
  },
);

it.each(WINDOWS)(
  'the toast of registration covers nothing that can be pressed at $width px, and Home keeps still',
  async ({ width, height }) => {
    const opened = await openPage(browser, { baseUrl: site.baseUrl, width, height });
    const { page, context } = opened;
    await page.goto('/auth?tab=register');
    await page.getByLabel('Email address').first().fill(`stranger.at.${width}@example.org`);
    await page.getByLabel('Password').first().fill('seven lean cows');
    await page.getByLabel('Confirm password').fill('seven lean cows');
    await page.getByLabel(/18 or older/).check();
    await page.getByRole('button', { name: 'Create account', exact: true }).click();
    const toast = page.getByRole('status').filter({ hasText: 'Registration successful' });
    await toast.waitFor();
    // It stays for as long as it is pointed at.
    await toast.hover();
    await page.getByRole('link', { name: 'Setup Now' }).waitFor();
    await settle(opened);
    const { x, y, right, bottom } = await placeOf(toast);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(height);
    const covered = await page.evaluate(
      (place) =>
        [...document.querySelectorAll('a, button, input, select, textarea, summary')]
          .filter((control) => !control.closest('[role="status"]'))
          .filter((control) => {
            const box = control.getBoundingClientRect();
            const isBeside = box.right <= place.x || box.left >= place.right;
            return !isBeside && box.bottom > place.y && box.top < place.bottom;
          })
          .map(({ textContent, ariaLabel }) => textContent || ariaLabel),
      { x, y, right, bottom },
    );
    expect(covered).toEqual([]);

    await page.reload();
    await settle(opened);
    await page.getByRole('main').getByRole('link', { name: 'How It Works' }).waitFor();
    await expectNoLayoutJump(page);
    await context.close();
  },
);
