import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import { createUser } from '#server/testing/builders.ts';
import { insertAcceptedBid, insertHeldSale } from '#server/testing/sales.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { expectGoodPages, setTheme, settle, WINDOWS } from './good-pages.ts';
import {
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  launchBrowser,
  type OpenedPage,
  openPage,
} from './harness.ts';
import { openSite, type Site } from './site.ts';

/** Every page of somebody signed in, with demo data, in both themes and at every width. */

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
  // Members get the not-found page here.
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

describe.each(WINDOWS)('at $width px', (window) => {
  it('every page of a member', async () => {
    const opened = await openPage(browser, { ...window, baseUrl: site.baseUrl });
    await logIn(opened.page);
    await expectGoodPages(opened, [...MEMBER_PAGES, checkout], window);
    await opened.context.close();
  });

  it('every page of an admin', async () => {
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
      await setTheme(opened.page, 'dark');
      await expectNoAxeViolations(opened.page, 'color-contrast');
      await setTheme(opened.page, 'light');
    }
    opened.assertNoConsoleErrors();
    await opened.context.close();
  });
});
