import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountLinks } from '#server/people/accounts/links.ts';
import { sendWaitingMail } from '#server/people/notifications/sending.ts';
import { createReadySeller } from '#tests/support/bids.ts';
import { createCoupon } from '#tests/support/builders.ts';
import { expectGoodState, settle, WINDOWS } from './good-pages.ts';
import {
  addAuthenticator,
  closePages,
  expectNoLayoutJump,
  type OpenedPage,
  openPage,
  placeOf,
  sharedBrowser,
} from './harness.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = await openSite({ withDemo: false, host: 'localhost', isMailKept: true });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Counts what somebody presses and fills in, in every window, and on how many screens: pages, their tabs, and dialogs. */
function countSteps() {
  const counted = { screens: [] as string[], clicks: 0, fields: 0 };
  const see = async (target: Locator) => {
    await target.waitFor();
    const page = target.page();
    const { pathname } = new URL(page.url());
    const front = page.getByRole('dialog').last().getByRole('heading').first();
    const chosen = (await front.count()) > 0 ? front : page.getByRole('tab', { selected: true });
    const screen = [pathname, ...(await chosen.allTextContents())].join(' ');
    // The mail program is not ours.
    if (!pathname.startsWith('/sandbox/mail') && screen !== counted.screens.at(-1))
      counted.screens.push(screen);
  };
  return {
    counted,
    click: async (target: Locator) => {
      await see(target);
      counted.clicks += 1;
      await target.click();
    },
    fill: async (field: Locator, text: string) => {
      await see(field);
      counted.fields += 1;
      await field.fill(text);
    },
  };
}

interface Stranger {
  readonly opened: OpenedPage;
  readonly steps: ReturnType<typeof countSteps>;
}

/** A stranger comes to a coupon and presses a button there. */
async function comesFor(couponId: number, button: string): Promise<Stranger> {
  const opened = await openPage(browser, { baseUrl: site.baseUrl, width: 390 });
  const steps = countSteps();
  await opened.page.goto(`/coupons/${couponId}`);
  await steps.click(opened.page.getByRole('button', { name: button, exact: true }));
  return { opened, steps };
}

/** They register, and follow the link in their mail. @returns the window that it opens */
async function registers({ opened, steps }: Stranger, email: string, hasPasskey = false): Promise<Page> {
  const { page, context } = opened;
  // What a browser keeps it fills in itself.
  if (hasPasskey) await page.getByLabel('Email address').fill(email);
  else {
    await steps.fill(page.getByLabel('Email address').first(), email);
    await steps.fill(page.getByLabel('Password').first(), 'seven lean cows');
    await steps.fill(page.getByLabel('Confirm password'), 'seven lean cows');
  }
  await steps.click(page.getByLabel(/18 or older/));
  const how = hasPasskey ? 'Create account with a passkey' : 'Create account';
  await steps.click(page.getByRole('button', { name: how, exact: true }));
  const asked = page.getByRole('dialog', { name: 'Confirm your address first' });
  await asked.waitFor();
  await expectGoodState(opened, [WINDOWS[1], WINDOWS[0]]);
  await sendWaitingMail(site.ctx, accountLinks);
  const [mail] = await Promise.all([
    context.waitForEvent('page'),
    steps.click(asked.getByRole('link', { name: 'Open the email' })),
  ]);
  await steps.click(mail.getByRole('link', { name: /verify-email/ }));
  await steps.click(mail.getByRole('button', { name: 'Confirm this address' }));
  return mail;
}

/** From a coupon's page through the registration to the dialog that a stranger came for. */
const screensTo = (couponId: number, dialog: string) => [
  `/coupons/${couponId}`,
  '/auth Register',
  `/coupons/${couponId} Confirm your address first`,
  '/verify-email',
  `/coupons/${couponId} ${dialog}`,
];

it.each([
  ['4 fields', false, 4],
  ['1 field, with a passkey and an address that the browser keeps', true, 1],
] as const)('a stranger on a coupon’s page sends an offer with %s', async (_, hasPasskey, fields) => {
  const owner = await createReadySeller(site.ctx);
  const { id } = await createCoupon(site.ctx, owner, { title: 'Thirty off a phone' });
  const stranger = await comesFor(id, 'Bid');
  const { opened, steps } = stranger;
  if (hasPasskey) await addAuthenticator(opened.page);
  await opened.page.getByText('to bid on “Thirty off a phone”').waitFor();
  const page = await registers(stranger, `stranger.${fields}@example.org`, hasPasskey);
  const dialog = page.getByRole('dialog', { name: 'Place a Bid' });
  await steps.fill(dialog.getByLabel('Your bid (CAD)'), '12.50');
  await steps.click(dialog.getByRole('button', { name: 'Place bid' }));
  await page.waitForURL('/my-bids');
  // The window in which they began goes on, too.
  await opened.page.getByRole('dialog', { name: 'Place a Bid' }).waitFor();
  const sent = site.ctx.db.selectFrom('bids').select('amount').where('couponId', '=', id);
  expect(await sent.execute()).toEqual([{ amount: '12.50' }]);
  expect(steps.counted).toEqual({
    screens: screensTo(id, 'Place a Bid'),
    clicks: 7,
    fields,
  });
  await opened.context.close();
});

it('a stranger on a coupon’s page gets its code over 7 screens, with 9 clicks and 6 fields', async () => {
  const owner = await createReadySeller(site.ctx);
  const { id } = await createCoupon(site.ctx, owner, { askingPrice: '20.00', code: 'FOR-A-STRANGER' });
  const stranger = await comesFor(id, 'Buy now');
  const { steps, opened } = stranger;
  const page = await registers(stranger, 'stranger.buys@example.org');
  await steps.click(page.getByRole('dialog', { name: 'Buy now' }).getByRole('button', { name: 'Buy now' }));
  await steps.fill(page.getByLabel('Card number'), '4242424242424242');
  await steps.fill(page.getByLabel(/Expiration/), '1240');
  await steps.fill(page.getByLabel('Security code'), '123');
  await steps.click(page.getByRole('button', { name: /^Pay \$/ }));
  await steps.click(page.getByRole('button', { name: /Show code/ }).first());
  await page.getByText('FOR-A-STRANGER').waitFor();
  expect(steps.counted).toEqual({
    screens: [
      ...screensTo(id, 'Buy now'),
      expect.stringMatching(/^\/checkout\/\d+/),
      // Where the press came: the result goes on to My Coupons by itself.
      expect.stringMatching(/^\/(payment-complete|my-coupons)/),
    ],
    clicks: 9,
    fields: 6,
  });
  await opened.context.close();
});

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
