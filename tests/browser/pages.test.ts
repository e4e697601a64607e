import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#server/testing/builders.ts';
import { insertAcceptedBid, insertHeldSale } from '#server/testing/sales.ts';
import {
  expectNoAxeViolations,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  launchBrowser,
  type OpenedPage,
  openPage,
} from './harness.ts';
import { openSite, type Site } from './site.ts';

/** Every page that there is, with demo data, in both themes and at both widths. */

const PUBLIC_PAGES = [
  '/',
  '/?q=coffee&sort=value-high',
  '/coupons/1',
  '/auth',
  '/auth?tab=register',
  '/validate-coupon',
  '/no-such-page',
  '/coupons/999999',
];
const MEMBER_PAGES = [
  '/',
  '/my-coupons',
  '/my-coupons?tab=saved',
  '/validate-coupon',
  '/discover',
  '/exchanges',
  '/exchanges?tab=received',
  '/my-bids',
  '/my-bids?tab=received',
  '/seller-onboarding',
  '/profile-settings',
  '/payment-complete',
  '/notifications',
  '/transaction-logs',
];

/** Dialogs that an address opens. The first exchange of the demo is the member's. */
const DIALOGS = [
  ['/my-coupons?add=1', /Add a New Coupon/],
  ['/exchanges?exchange=1', /Exchange #1/],
] as const;

const VIEWS = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

let site: Site;
let browser: Browser;
let member: string;
/** Of a bid that the member has to pay. */
let checkout: string;
/** Of a bid that the member has paid. */
let sale: string;

beforeAll(async () => {
  site = await openSite({ withDemo: true });
  browser = await launchBrowser();
  const people = (await site.trpc(null, 'query', 'accounts.demoPeople')).json();
  member = people.result.data[0].username;
  const buyer = await site.ctx.db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', '=', member)
    .executeTakeFirstOrThrow();
  const seller = await createUser(site.ctx);
  const at = site.ctx.clock();
  await site.ctx.db
    .insertInto('sellerAccounts')
    .values({
      userId: seller.id,
      provider: 'stripe',
      accountRef: 'acct_ready',
      isReady: true,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  const id = await insertAcceptedBid(site.ctx, { ...buyer, role: 'user', status: 'active' }, seller);
  const { bidId } = await insertHeldSale(site.ctx, { ...buyer, role: 'user', status: 'active' }, seller);
  sale = `/my-bids?bid=${bidId}`;
  checkout = `/checkout/${id}`;
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function logIn(page: Page): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('button', { name: `Log in as ${member}` }).click();
  await page.waitForURL('/');
}

/** Waits for the page's heading, its data and its fonts. */
async function settle({ page, quiet }: OpenedPage): Promise<void> {
  await page.locator('h1').waitFor();
  await quiet();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
}

async function expectGoodPage(opened: OpenedPage, path: string): Promise<void> {
  const { page, assertNoConsoleErrors } = opened;
  await page.goto(path);
  await settle(opened);
  expect(await page.locator('h1').count(), 'one h1').toBe(1);
  await expectNoLayoutJump(page);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  // A coupon that is not there is answered with 404, and the browser notes that.
  assertNoConsoleErrors(path.includes('999999') ? [/404/] : []);
}

describe.each(VIEWS)('at $width px, $colorScheme', (view) => {
  it.each(PUBLIC_PAGES)('%s for a visitor', async (path) => {
    const opened = await openPage(browser, { ...view, baseUrl: site.baseUrl });
    await expectGoodPage(opened, path);
    await opened.context.close();
  });

  it('a dialog', async () => {
    const opened = await openPage(browser, { ...view, baseUrl: site.baseUrl });
    await logIn(opened.page);
    for (const [path, name] of [...DIALOGS, [sale, /Bid #/] as const]) {
      await opened.page.goto(path);
      await opened.page.getByRole('dialog', { name }).waitFor();
      await settle(opened);
      await expectNoSidewaysScroll(opened.page);
      await expectNoAxeViolations(opened.page);
    }
    opened.assertNoConsoleErrors();
    await opened.context.close();
  });

  it('every page of a member', async () => {
    const opened = await openPage(browser, { ...view, baseUrl: site.baseUrl });
    await logIn(opened.page);
    for (const path of [...MEMBER_PAGES, checkout]) await expectGoodPage(opened, path);
    await opened.context.close();
  });
});

it.each([320, 768, 900, 1024])('nothing sticks out at %i px', async (width) => {
  const opened = await openPage(browser, { width, height: 900, baseUrl: site.baseUrl });
  await logIn(opened.page);
  for (const path of [...MEMBER_PAGES, checkout]) {
    await opened.page.goto(path);
    await settle(opened);
    await expectNoSidewaysScroll(opened.page);
  }
  await opened.context.close();
});

it('the API documentation', async () => {
  for (const view of VIEWS) {
    const { page, context, assertNoConsoleErrors } = await openPage(browser, {
      ...view,
      baseUrl: site.baseUrl,
    });
    await page.goto('/api/docs');
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
    assertNoConsoleErrors();
    await context.close();
  }
});
