import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { expectGoodPages, expectGoodState, expectRoomForFrench, windowsFor } from './good-pages.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import {
  ADMIN_LOOKS,
  busiestMember,
  DIALOGS,
  FRENCH_MEMBER_PAGES,
  FRENCH_PAGES,
  insertPurchases,
  LOOKS,
  MEMBER_LOOKS,
  PURCHASE_LOOKS,
} from './page-lists.ts';
import { openSite, type Site, signIn } from './site.ts';

/** The main pages look as in their kept pictures, and each kind of page has room for French. */

let site: Site;
let browser: Browser;
let member: Actor;

beforeAll(async () => {
  site = await openSite({ withDemo: true, host: 'localhost' });
  browser = await sharedBrowser();
  member = await busiestMember(site);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Opens a page at the demo's time. */
async function open(who: Actor | null) {
  const opened = await openPage(browser, { baseUrl: site.baseUrl, time: site.ctx.clock() });
  if (who) await signIn(site, opened.context, who);
  return opened;
}

async function expectLooks(who: Actor | null, looks: Readonly<Record<string, string>>): Promise<void> {
  const opened = await open(who);
  await expectGoodPages(opened, Object.keys(looks), { looks });
  await opened.context.close();
}

it('the main pages and dialogs of a visitor, a member and an admin', async () => {
  await expectLooks(null, LOOKS);
  // Visitors see the demo without these.
  const admin = await createUser(site.ctx, { username: 'ada', role: 'admin' });
  const purchases = await insertPurchases(site, member);
  await expectLooks(member, { ...MEMBER_LOOKS, [purchases.checkout]: PURCHASE_LOOKS.checkout });
  await expectLooks(admin, ADMIN_LOOKS);

  const opened = await open(member);
  const dialogs = [...DIALOGS, [purchases.sale, PURCHASE_LOOKS.sale] as const];
  for (const [index, [path, look]] of dialogs.entries()) {
    for (const windows of windowsFor(index)) {
      await opened.page.setViewportSize(windows[0]);
      await opened.page.emulateMedia({ colorScheme: index % 2 === 0 ? 'dark' : 'light' });
      await opened.page.goto(path);
      await opened.page.getByRole('dialog').waitFor();
      await expectGoodState(opened, windows, look);
    }
  }
  await opened.context.close();
});

it('a page of each kind in French', async () => {
  await expectRoomForFrench(await open(null), FRENCH_PAGES);
  await expectRoomForFrench(await open(member), FRENCH_MEMBER_PAGES);
});
