import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { WAIT_MS } from '#server/testing/patience.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** The network goes while a page is open: everything says so, and nothing waits without end. */

let site: Site;
let browser: Browser;
let member: Actor;
/** Coupons of the member and of somebody else. */
let own: number;
let other: number;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  member = await createUser(site.ctx);
  own = (await createCoupon(site.ctx, member, { title: 'Soup for two' })).id;
  other = (await createCoupon(site.ctx, await createUser(site.ctx), { title: 'Tea for one' })).id;
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Opens a page, lets it load all code that it may need, then cuts the network. */
async function openAndCut(path: string): Promise<Page> {
  const opened = await openPage(browser, { width: 390, baseUrl: site.baseUrl, loadsWhenIdle: true });
  const { page, context } = opened;
  let hasWords = false;
  page.on('requestfinished', (request) => {
    hasWords ||= request.url().includes('toast-stack');
  });
  await signIn(site, context, member);
  await page.goto(path);
  await vi.waitFor(() => expect(hasWords).toBe(true), WAIT_MS);
  await opened.quiet();
  await context.setOffline(true);
  await page.getByText(/^You are offline\..* We will update/).waitFor();
  return page;
}

/** Fails while something on the page still says that it waits. */
async function expectNothingWaits(page: Page): Promise<void> {
  const waiting = page.locator(
    'main [aria-busy="true"], [data-loading="true"], [role="dialog"] [aria-busy="true"]',
  );
  await vi.waitFor(async () => expect(await waiting.count()).toBe(0), WAIT_MS);
}

it('a code that has to be fetched says that it cannot be shown', async () => {
  const page = await openAndCut(`/coupons/${own}`);
  await page.getByRole('button', { name: 'Show code' }).first().click();
  await page
    .getByRole('dialog')
    .getByText(/You are offline/)
    .waitFor();
  await expectNothingWaits(page);
  await page.context().setOffline(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page
    .getByRole('dialog')
    .getByText(/TESTCODE/)
    .first()
    .waitFor();
});

it('an offer is not sent, says so, and keeps what was typed', async () => {
  const page = await openAndCut(`/coupons/${other}`);
  await page.getByRole('button', { name: 'Offer a price' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Place a Bid' });
  await dialog.getByLabel('Your bid (CAD)').fill('12.50');
  await dialog.getByRole('button', { name: 'Place bid' }).click();
  await page.getByText('You are offline. Please try again when you are back online.').waitFor();
  await expectNothingWaits(page);
  expect(await dialog.getByLabel('Your bid (CAD)').inputValue()).toBe('12.50');
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Place bid' }).click();
  await page.getByText('Bid placed').first().waitFor();
});

it('a coupon that is saved waits for the network, is seen to wait, and is saved then', async () => {
  const page = await openAndCut(`/coupons/${other}`);
  await page.getByRole('button', { name: /^Save/ }).first().click();
  await page.getByText(/1 change waits until then/).waitFor();
  await expectNothingWaits(page);
  const saved = () => site.ctx.db.selectFrom('savedCoupons').select('couponId').execute();
  expect(await saved()).toEqual([]);
  await page.context().setOffline(false);
  await vi.waitFor(async () => expect(await saved()).toEqual([{ couponId: other }]), WAIT_MS);
});

it('lists that were never loaded say that they are loaded later, and are', async () => {
  const page = await openAndCut('/my-coupons');
  await page.getByRole('tab', { name: /Saved/ }).click();
  await page.getByText('You are offline. We load this when you are back online.').waitFor();
  await expectNothingWaits(page);
  await page.context().setOffline(false);
  await page.getByText('Tea for one').first().waitFor();
});
