import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import { createUser } from '#server/testing/builders.ts';
import { insertAcceptedBid, insertHeldSale } from '#server/testing/sales.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import {
  expectNoAxeViolations,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  launchBrowser,
  type OpenedPage,
  openPage,
} from './harness.ts';
import { openSite, type Site } from './site.ts';

/** Every page that there is, with demo data, in both themes and at every width. */

/** Answered with a refusal on purpose, which the browser notes. */
const REFUSED = /999999|token=|no-such-page/;
const TOKEN = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

const PUBLIC_PAGES = [
  '/',
  '/?q=coffee&sort=value-high',
  '/coupons/1',
  '/coupons/999999',
  '/users/1',
  '/users/999999',
  '/auth',
  '/auth?tab=register',
  '/forgot-password',
  `/reset-password?token=${TOKEN}`,
  `/verify-email?token=${TOKEN}`,
  `/unsubscribe?token=${TOKEN}`,
  '/validate-coupon',
  '/leaderboard',
  '/leaderboard?tab=ratings',
  '/how-it-works',
  '/terms',
  '/privacy-policy',
  '/acceptable-use-policy',
  '/profile-settings',
  '/no-such-page',
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
  '/messages',
  '/messages?exchange=1',
  '/leaderboard',
  '/profile',
  '/profile?tab=activity',
  '/profile-settings',
  '/seller-onboarding',
  '/payment-complete',
  '/notifications',
  '/transaction-logs',
  // To members they are not there.
  '/admin',
];
const ADMIN_PAGES = [
  '/admin',
  '/admin?tab=activity',
  '/admin?tab=seo',
  '/admin?tab=people',
  '/admin?tab=system',
  '/admin-reports',
  '/admin-reports?status=all',
  '/claims',
];

/** Dialogs that an address opens. The first exchange of the demo is the member's. */
const DIALOGS = [
  ['/my-coupons?add=1', /Add a New Coupon/],
  ['/exchanges?exchange=1', /Exchange #1/],
] as const;

/** A page is loaded once at each of these; the narrower windows are those that it is then drawn to. */
const WINDOWS = [
  { width: 1280, height: 900, narrower: [1024, 900, 768] },
  { width: 390, height: 844, narrower: [320] },
] as const;

/** For twenty pages and more one after the other. */
const PATIENCE = { timeout: 240_000 };

let site: Site;
let browser: Browser;
let member: string;
let admin: Actor;
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
  admin = await createUser(site.ctx, { role: 'admin' });
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

async function comeAs({ context }: OpenedPage, who: Pick<Actor, 'id'>): Promise<void> {
  const { token } = await startSession(site.ctx.db, site.ctx.clock, who.id);
  await context.addCookies([{ name: sessionCookieName(site.deps.config), value: token, url: site.baseUrl }]);
}

/** Waits for the page's heading, its data and its fonts. */
async function settle({ page, quiet }: OpenedPage): Promise<void> {
  await page.locator('h1').waitFor();
  await quiet();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
}

/** Changes the theme under the page, and waits until its colours have stopped running. */
async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const ending = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // They begin with the next frame at the earliest.
    await frame();
    await frame();
    while (ending().length > 0) await Promise.allSettled(ending().map(({ finished }) => finished));
  });
}

async function expectGoodPage(
  opened: OpenedPage,
  path: string,
  { width, height, narrower }: (typeof WINDOWS)[number],
): Promise<void> {
  const { page, assertNoConsoleErrors } = opened;
  await page.goto(path);
  await settle(opened);
  expect(await page.locator('h1').count(), 'one h1').toBe(1);
  await expectNoLayoutJump(page);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await wear(page, 'dark');
  await expectNoAxeViolations(page);
  for (const less of narrower) {
    await page.setViewportSize({ width: less, height });
    await expectNoSidewaysScroll(page);
  }
  await wear(page, 'light');
  await page.setViewportSize({ width, height });
  assertNoConsoleErrors(REFUSED.test(path) ? [/40[04]/] : []);
}

/** Names the page that is not as it should be. */
async function expectGoodPages(
  opened: OpenedPage,
  paths: readonly string[],
  window: (typeof WINDOWS)[number],
): Promise<void> {
  const findings: string[] = [];
  for (const path of paths) {
    await expectGoodPage(opened, path, window).catch((error: Error) => {
      findings.push(`${path}\n${error.message}`);
    });
    opened.problems.length = 0;
  }
  expect(findings).toEqual([]);
}

describe.each(WINDOWS)('at $width px', (window) => {
  it('every page of a visitor', PATIENCE, async () => {
    const opened = await openPage(browser, { ...window, baseUrl: site.baseUrl });
    await expectGoodPages(opened, PUBLIC_PAGES, window);
    await opened.context.close();
  });

  it('every page of a member', PATIENCE, async () => {
    const opened = await openPage(browser, { ...window, baseUrl: site.baseUrl });
    await logIn(opened.page);
    await expectGoodPages(opened, [...MEMBER_PAGES, checkout], window);
    await opened.context.close();
  });

  it('every page of an admin', PATIENCE, async () => {
    const opened = await openPage(browser, { ...window, baseUrl: site.baseUrl });
    await comeAs(opened, admin);
    await expectGoodPages(opened, ADMIN_PAGES, window);
    await opened.context.close();
  });

  it('a dialog', async () => {
    const opened = await openPage(browser, { ...window, baseUrl: site.baseUrl });
    await logIn(opened.page);
    for (const [path, name] of [...DIALOGS, [sale, /Bid #/] as const]) {
      await opened.page.goto(path);
      await opened.page.getByRole('dialog', { name }).waitFor();
      await settle(opened);
      await expectNoSidewaysScroll(opened.page);
      await expectNoAxeViolations(opened.page);
      await wear(opened.page, 'dark');
      await expectNoAxeViolations(opened.page);
      await wear(opened.page, 'light');
    }
    opened.assertNoConsoleErrors();
    await opened.context.close();
  });
});

it('the API documentation', async () => {
  for (const window of WINDOWS) {
    const { page, context, assertNoConsoleErrors } = await openPage(browser, {
      ...window,
      baseUrl: site.baseUrl,
    });
    await page.goto('/api/docs');
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
    await wear(page, 'dark');
    await expectNoAxeViolations(page);
    assertNoConsoleErrors();
    await context.close();
  }
});
