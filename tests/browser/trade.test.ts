import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCoupon } from '#tests/support/builders.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { expectGoodState, WINDOWS } from './good-pages.ts';
import {
  closePages,
  expectNoLayoutJump,
  type OpenedPage,
  openPage,
  placeOf,
  sharedBrowser,
} from './harness.ts';
import { expectFocus, goTo, press, typeInto } from './keyboard.ts';
import { openSite, type Site } from './site.ts';

/** A swap from end to end, with the keyboard alone: two visitors in two browsers exchange coupons. */

const CODES = { ana: 'SCARF-SEASON-2210', ben: 'KETTLE-ON-7734', besides: 'TEA-FOR-TWO-5118' };

let site: Site;
let browser: Browser;
let ana: OpenedPage;
let ben: OpenedPage;

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  // One on a desktop, one on a phone that translates the page.
  ana = await openPage(browser, { baseUrl: site.baseUrl });
  ben = await openPage(browser, {
    baseUrl: site.baseUrl,
    width: 390,
    height: 844,
    colorScheme: 'dark',
    isTranslated: true,
  });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

const toast = (page: Page, text: string) => page.getByText(text).first().waitFor();

async function register(page: Page, username: string): Promise<void> {
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Email address').fill(`${username}@example.org`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: false }).first().fill('seven lean cows');
  await page.getByLabel('Confirm password').fill('seven lean cows');
  await page.getByLabel(/18 or older/).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await toast(page, 'Registration successful');
}

async function listCoupon(
  page: Page,
  coupon: { title: string; merchant: string; value: string; code: string },
) {
  await page.goto('/my-coupons');
  await press(page, page.getByRole('link', { name: 'Skip to the content' }));
  const add = page.getByRole('button', { name: 'Add a Coupon' }).first();
  await press(page, add);
  const dialog = page.getByRole('dialog', { name: 'Add a New Coupon' });
  // A dialog that is left gives the focus back.
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expectFocus(add);
  await page.keyboard.press('Enter');
  if (page === ben.page) await press(page, dialog.getByRole('button', { name: 'Fill in the form yourself' }));
  await typeInto(page, dialog.getByLabel('Title'), coupon.title);
  await typeInto(page, dialog.getByLabel('Merchant'), coupon.merchant);
  await goTo(page, dialog.getByRole('combobox', { name: 'Category' }));
  await page.keyboard.press('ArrowDown');
  const category = page.getByRole('option', { name: 'Retail' });
  await category.waitFor();
  // Mantine looks for the chosen option by a timer once the list is open, and forgets what a key chose before.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  while ((await category.getAttribute('data-combobox-selected')) === null)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await typeInto(page, dialog.getByLabel('Value (CAD)'), coupon.value);
  await press(page, dialog.getByLabel('No expiry'), 'Space');
  await typeInto(page, dialog.getByLabel('Description'), 'Never used.');
  await typeInto(page, dialog.getByLabel('Coupon code'), coupon.code);
  await press(page, dialog.getByRole('button', { name: 'Validate' }));
  await dialog.getByText('The format looks right').waitFor();
  await press(page, dialog.getByRole('button', { name: 'Add coupon' }));
  await toast(page, 'Coupon added');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: coupon.title }).first().waitFor();
}

it('two people register, and come back to where they came from [decisions 6.0.1]', async () => {
  await ana.page.goto('/my-coupons');
  await ana.page.waitForURL(/\/auth\?from=%2Fmy-coupons/);
  await register(ana.page, 'ana');
  await ana.page.waitForURL('/my-coupons');
  await ben.page.goto('/auth');
  await register(ben.page, 'ben');
  await ben.page.waitForURL('/');
  // The reminder to confirm the address is above the page, and covers nothing of it.
  const reminder = ben.page.getByRole('complementary', { name: 'Your email address' });
  const { bottom } = await placeOf(reminder);
  expect((await placeOf(ben.page.locator('main'))).y).toBe(bottom);
  await ben.page.getByRole('region', { name: 'Get started' }).waitFor();
  await expectNoLayoutJump(ben.page);
  await expectGoodState(ben, [WINDOWS[1], WINDOWS[0]]);
  // Dealing needs it: people/accounts/confirm-address.test.tsx and api/unconfirmed.test.ts.
  await site.ctx.db.updateTable('users').set({ emailVerifiedAt: site.ctx.clock() }).execute();
});

it('each lists coupons', async () => {
  await listCoupon(ana.page, {
    title: 'Lambswool scarf',
    merchant: 'Knit Nook',
    value: '25',
    code: CODES.ana,
  });
  const kettle = { title: 'Copper kettle', merchant: 'Pot Palace', code: CODES.ben };
  const owner = await site.ctx.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'ben')
    .executeTakeFirstOrThrow();
  await createCoupon(site.ctx, owner, { title: 'Tea strainer', code: CODES.besides });
  if (shortOrLong(false, true)) await listCoupon(ben.page, { ...kettle, value: '27.50' });
  else await createCoupon(site.ctx, owner, kettle);
});

it('one of them finds the other’s coupon and asks to swap', async () => {
  const { page } = ben;
  await page.goto('/');
  await typeInto(page, page.getByRole('searchbox').or(page.getByLabel('Search coupons')), 'lambswool');
  await page.waitForURL(/q=lambswool/);
  await page.getByRole('heading', { name: 'Copper kettle' }).waitFor({ state: 'detached' });
  const ticket = page.getByRole('article', { name: 'Lambswool scarf' });
  const exchange = ticket.getByRole('button', { name: /Exchange/ });
  await press(page, exchange);
  const dialog = page.getByRole('dialog', { name: 'Propose Exchange' });
  const message = dialog.getByRole('textbox', { name: /message/i });
  await typeInto(page, message, 'My kettle for your scarf?');
  // The phone's Back closes the dialog alone. What was typed is there again after a reload.
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toContain('q=lambswool');
  await page.reload();
  await press(page, exchange);
  await message.waitFor();
  expect(await message.inputValue()).toBe('My kettle for your scarf?');
  const send = dialog.getByRole('button', { name: 'Send exchange request' });
  await press(page, send);
  await dialog.getByText('Please select a coupon to exchange').waitFor();
  await press(page, dialog.getByRole('checkbox', { name: /Copper kettle/ }), 'Space');
  await press(page, send);
  await toast(page, 'Exchange request sent');
});

it('the other one is notified, and asks for one more coupon', async () => {
  const { page } = ana;
  await page.goto('/');
  await press(page, page.getByRole('button', { name: 'Notifications, 1 unread' }));
  await goTo(page, page.getByRole('menuitem', { name: /ben proposes an exchange/ }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/exchanges\?exchange=\d+/);
  const detail = page.getByRole('dialog').filter({ hasText: 'My kettle for your scarf?' });
  await detail.waitFor();
  await press(page, detail.getByRole('button', { name: 'Make a counter-offer' }));
  const dialog = page.getByRole('dialog', { name: 'Make a counter-offer' });
  await press(page, dialog.getByRole('button', { name: 'Ask for more of ben’s coupons' }));
  await press(page, dialog.getByRole('checkbox', { name: /Tea strainer/ }), 'Space');
  await dialog.getByText(/You get “Copper kettle” and “Tea strainer”/).waitFor();
  await press(page, dialog.getByRole('button', { name: 'Send round 2 of 5' }));
  await toast(page, 'Counter-offer sent');
});

it('who asked first sees the difference, and accepts', async () => {
  const { page } = ben;
  await page.goto('/exchanges');
  // The newest round is the first of the list.
  await press(page, page.getByRole('button', { name: /^Details/ }).first());
  const detail = page.getByRole('dialog').filter({ hasText: 'Round 2 of 5' });
  await detail.getByText('Added: You give “Tea strainer”.').waitFor();
  await expectGoodState(ben, [WINDOWS[1], WINDOWS[0]]);
  await press(page, detail.getByRole('button', { name: 'Accept' }));
  await press(page, page.getByRole('dialog', { name: /^Accept/ }).getByRole('button', { name: /Accept/ }));
  await toast(page, 'Exchange updated');
});

it('one of them completes the swap, and each has the other’s code', async () => {
  const { page } = ben;
  await page.goto('/exchanges');
  await press(page, page.getByRole('button', { name: 'Complete' }));
  const dialog = page.getByRole('dialog', { name: /Complete/ });
  await dialog.getByText(/cannot be undone/).waitFor();
  await press(page, dialog.getByRole('button', { name: 'Complete Exchange' }));
  await toast(page, 'Exchange updated');
  await press(page, page.getByRole('dialog').getByRole('link', { name: 'See your new coupon' }));
  await page.waitForURL(/\/my-coupons/);

  expect(await readCode(page, 'Lambswool scarf')).toBe(CODES.ana);
  expect(await checkInvariants(site.ctx.db)).toEqual([]);

  await ana.page.goto('/my-coupons');
  expect(await readCode(ana.page, 'Copper kettle')).toBe(CODES.ben);
  expect(await readCode(ana.page, 'Tea strainer')).toBe(CODES.besides);
  expect(await ana.page.getByRole('heading', { name: 'Lambswool scarf' }).count()).toBe(0);
});

async function readCode(page: Page, title: string): Promise<string | null> {
  const ticket = page.getByRole('article', { name: title }).first();
  const show = ticket.getByRole('button', { name: /Show code/ });
  await press(page, show);
  const dialog = page.getByRole('dialog', { name: 'Your coupon code' });
  const code = dialog.getByLabel('Coupon code');
  await code.waitFor();
  const text = await code.textContent();
  await goTo(page, dialog.getByRole('button', { name: 'Copy Code' }));
  await page.keyboard.press('Escape');
  await expectFocus(show);
  return text;
}

it('no page had an error', () => {
  ana.assertNoConsoleErrors();
  ben.assertNoConsoleErrors();
});
