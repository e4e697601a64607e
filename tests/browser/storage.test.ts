import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { loseCodes } from './browser-database.ts';
import { closePages, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** Browsers that keep nothing, no more, or what is old. */

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

let counter = 0;

/** A page of somebody new, who has a coupon. */
async function openNew(given: { loadsWhenIdle?: boolean } = {}): Promise<OpenedPage> {
  counter += 1;
  const owner = await createUser(site.ctx);
  await createCoupon(site.ctx, owner, { title: 'Soup for two', code: `SOUP-${counter}-KEPT` });
  const opened = await openPage(browser, { width: 390, baseUrl: site.baseUrl, ...given });
  await signIn(site, opened.context, owner);
  return opened;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your coupon code' });
const show = (page: Page) => page.getByRole('button', { name: 'Show code' }).first().click();
const choice = (page: Page) => dialog(page).getByLabel('Keep my codes on this device');

async function isOffline(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true);
  await page.getByText(/^You are offline\..* We will update/).waitFor();
}

it('a device without room for a note of the codes says so, and keeps none', async () => {
  const { page } = await openNew();
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.goto('/my-coupons');
  await show(page);
  await choice(page).click();
  await page.getByText('This device has no room left for them.').waitFor();
  expect(await choice(page).isChecked()).toBe(false);
});

it('a device without room for files and codes shows the page all the same, and says so', async () => {
  const { page, context, assertNoConsoleErrors } = await openNew({ loadsWhenIdle: true });
  const devTools = await context.newCDPSession(page);
  await devTools.send('Storage.overrideQuotaForOrigin', { origin: site.baseUrl, quotaSize: 1 });
  await page.goto('/my-coupons');
  const workers = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map((each) => each.active));
  await page.getByRole('article', { name: 'Soup for two' }).waitFor();
  await show(page);
  await choice(page).click();
  await page.getByText('This device has no room left for them.').waitFor();
  expect((await workers()).filter(Boolean)).toEqual([]);
  assertNoConsoleErrors();
  await context.close();
});

it('codes that the browser has thrown away cannot be shown without the network, and that is said', async () => {
  const { page, context } = await openNew();
  await page.goto('/my-coupons');
  await show(page);
  await choice(page).check();
  await vi.waitFor(async () => expect(await choice(page).isEnabled()).toBe(true), WAIT_MS);
  await page.reload();
  await page.getByRole('article', { name: 'Soup for two' }).waitFor();
  await isOffline(context, page);
  await loseCodes(page);
  await show(page);
  await dialog(page).getByText('We could not show the code').waitFor();
  await context.setOffline(false);
  await dialog(page).getByRole('button', { name: 'Retry' }).click();
  await dialog(page).getByText(/SOUP-/).first().waitFor();
  await expect.poll(() => choice(page).isChecked()).toBe(false);
  await context.close();
});

it('a private window without storage, database and worker works, and says what it does not keep', async () => {
  const { page, context, assertNoConsoleErrors } = await openNew({ loadsWhenIdle: true });
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('refused', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'caches'])
      Object.defineProperty(globalThis, name, { get: refuse });
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
    IDBFactory.prototype.open = refuse;
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto('/my-coupons');
  await show(page);
  await choice(page).click();
  await page.getByText('This browser does not let us keep anything.').waitFor();
  expect(await choice(page).isChecked()).toBe(false);
  assertNoConsoleErrors();
  await context.close();
});

it('a page of an old version keeps what is typed when code of it is gone from the server', async () => {
  const { page, context } = await openNew();
  await page.goto('/profile-settings#profile');
  const about = page.getByLabel('About you');
  await about.fill('I like soup.');
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  await page.route(/assets\/.*\.js/, (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.getByRole('button', { name: 'Get a copy' }).click();
  await page.getByText('Copy what you have typed here, then reload the page.').waitFor();
  expect(loads).toBe(0);
  expect(await about.inputValue()).toBe('I like soup.');
  await page.unroute(/assets\/.*\.js/);
  await page.reload();
  await page.getByRole('button', { name: 'Get a copy' }).click();
  await page.getByRole('dialog', { name: 'Get a copy of your data' }).waitFor();
  await context.close();
});
