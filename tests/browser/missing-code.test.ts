import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser } from '#tests/support/builders.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

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

const PAGE_CODE = /assets\/how-it-works-.*\.js/;
const NOT_LOADED = 'This could not be opened';

/** Opens Home for a member, who may see every page, and goes to a page. @returns how often the document was loaded since */
async function goFromHome(
  prepare: (page: Page) => Promise<unknown>,
): Promise<{ page: Page; loads: () => number }> {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl });
  await signIn(site, context, await createUser(site.ctx));
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  await prepare(page);
  await page.getByRole('link', { name: 'How It Works', exact: true }).first().click();
  return { page, loads: () => loads };
}

const opened = (page: Page) => page.getByRole('heading', { level: 1, name: 'How It Works' }).waitFor();

it('a page whose code cannot be loaded says so, and opens when the network is back', async () => {
  const { page, loads } = await goFromHome((home) => home.context().setOffline(true));
  await page.getByText(NOT_LOADED).waitFor();
  await page.getByText('You are offline').waitFor();
  expect(loads()).toBe(0);
  await page.context().setOffline(false);
  await opened(page);
  await page.context().close();
});

it('a dialog whose code cannot be loaded says so, though the code of toasts cannot be loaded either', async () => {
  const { page, context } = await openPage(browser, { width: 390, baseUrl: site.baseUrl });
  await signIn(site, context, await createUser(site.ctx));
  await page.goto('/my-coupons');
  await page.getByRole('button', { name: 'Add a Coupon' }).first().click({ trial: true });
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Add a Coupon' }).first().click();
  await page.getByRole('alert').getByText(NOT_LOADED).waitFor();
  await context.close();
});

it('a page that a release has replaced is loaded again once by itself, then by the person', async () => {
  const gone = { status: 404, body: '{}', contentType: 'application/json' };
  const { page, loads } = await goFromHome((home) => home.route(PAGE_CODE, (route) => route.fulfill(gone)));
  await expect.poll(loads).toBe(1);
  await page.getByText(NOT_LOADED).waitFor();
  await page.unroute(PAGE_CODE);
  await page.getByRole('button', { name: 'Retry' }).click();
  await opened(page);
  expect(loads()).toBe(2);
  await page.context().close();
});
