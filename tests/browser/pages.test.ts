import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { expectGoodPages, expectGoodState, windowsFor } from './good-pages.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import {
  ADMIN_PAGES,
  busiestMember,
  DIALOGS,
  insertPurchases,
  MEMBER_PAGES,
  MEMBER_TWINS,
  PUBLIC_PAGES,
  TWINS,
} from './page-lists.ts';
import { openPseudoSite } from './pseudo.ts';
import { signIn } from './site.ts';

/** The one visit of every page: in both themes, at every width, and in the pseudo-language. */

let pseudo: Awaited<ReturnType<typeof openPseudoSite>>;
let browser: Browser;
let member: Actor;
let admin: Actor;
let purchases: Awaited<ReturnType<typeof insertPurchases>>;

beforeAll(async () => {
  browser = await sharedBrowser();
  pseudo = await openPseudoSite(async (site) => {
    member = await busiestMember(site);
    admin = await createUser(site.ctx, { role: 'admin' });
    purchases = await insertPurchases(site, member);
  });
});
afterAll(async () => {
  await closePages();
  await pseudo?.close();
});

/** Opens a page at the demo's time. */
async function open(who: Actor | null, options: { loadsWhenIdle?: boolean } = {}) {
  const { site } = pseudo;
  const opened = await openPage(browser, { baseUrl: site.baseUrl, time: site.ctx.clock(), ...options });
  if (who) await signIn(site, opened.context, who);
  return opened;
}

it('every page of a visitor [spec/1 2.4] [decisions 6.0.4]', async () => {
  const opened = await open(null, shortOrLong({}, { loadsWhenIdle: true }));
  await expectGoodPages(opened, [...PUBLIC_PAGES, ...shortOrLong([], TWINS)], pseudo);
  await opened.context.close();
});

it('every page of a member', async () => {
  const opened = await open(member);
  const { checkout, receipt } = purchases;
  await expectGoodPages(
    opened,
    [...MEMBER_PAGES, checkout, receipt, ...shortOrLong([], MEMBER_TWINS)],
    pseudo,
  );
  await opened.context.close();
});

it('every page of an admin [spec/3 2.1]', async () => {
  const opened = await open(admin);
  await expectGoodPages(opened, ADMIN_PAGES, pseudo);
  await opened.context.close();
});

it('every dialog with an address', async () => {
  const opened = await open(member);
  const { page } = opened;
  const addresses = [...DIALOGS.map(([address]) => address), purchases.sale];
  for (const [index, address] of addresses.entries()) {
    for (const windows of windowsFor(index)) {
      await page.setViewportSize(windows[0]);
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'dark' : 'light' });
      await page.goto(address);
      await page.getByRole('dialog').waitFor();
      await expectGoodState(opened, windows);
      await pseudo.expectTranslated(page);
    }
  }
  opened.assertNoConsoleErrors();
  await opened.context.close();
});

it('the API documentation', async () => {
  for (const windows of windowsFor(0)) {
    const opened = await open(null);
    await opened.page.setViewportSize(windows[0]);
    await opened.page.goto('/api/docs');
    await expectGoodState(opened, windows);
    opened.assertNoConsoleErrors();
    await opened.context.close();
  }
});
