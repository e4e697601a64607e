import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import {
  expectGoodFrench,
  expectGoodPages,
  expectGoodState,
  settle,
  WINDOWS,
  windowsFor,
} from './good-pages.ts';
import {
  addAuthenticator,
  closePages,
  expectNoLayoutJump,
  holdBack,
  openPage,
  type PageOptions,
  sharedBrowser,
} from './harness.ts';
import {
  ADMIN_LOOKS,
  ADMIN_PAGES,
  busiestMember,
  DIALOGS,
  FRENCH_MEMBER_PAGES,
  insertPurchases,
  MEMBER_LOOKS,
  MEMBER_PAGES,
  MEMBER_TWINS,
  PURCHASE_LOOKS,
} from './page-lists.ts';
import { openSite, type Site, signIn } from './site.ts';

/** Every page of somebody signed in, with demo data, in both themes and at every width. */

let site: Site;
let browser: Browser;
let member: Actor;
let admin: Actor;
/** Of a bid that the member has to pay. */
let checkout: string;
/** Of a bid that the member has paid. */
let sale: string;
/** Of that sale. */
let receipt: string;

beforeAll(async () => {
  site = await openSite({ withDemo: true, host: 'localhost' });
  browser = await sharedBrowser();
  member = await busiestMember(site);
  admin = await createUser(site.ctx, { username: 'ada', role: 'admin' });
  ({ checkout, sale, receipt } = await insertPurchases(site, member));
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Opens a page at the demo's time. */
const open = (options: Partial<PageOptions> = {}) =>
  openPage(browser, { baseUrl: site.baseUrl, time: site.ctx.clock(), ...options });

it('every page of a member', async () => {
  const opened = await open();
  await opened.page.goto('/auth');
  await opened.page.getByRole('button', { name: `Sign in as ${member.username}` }).click();
  await opened.page.waitForURL('/');
  await expectGoodPages(opened, [...MEMBER_PAGES, checkout, receipt, ...shortOrLong([], MEMBER_TWINS)], {
    ...MEMBER_LOOKS,
    [checkout]: PURCHASE_LOOKS.checkout,
  });
  await opened.context.close();
});

it('every kind of page of a member in French', async () => {
  const opened = await open();
  await signIn(site, opened.context, member);
  await expectGoodFrench(opened, FRENCH_MEMBER_PAGES, MEMBER_PAGES);
  await opened.context.close();
});

it('every page of an admin [spec/3 2.1]', async () => {
  const opened = await open();
  await signIn(site, opened.context, admin);
  await expectGoodPages(opened, ADMIN_PAGES, ADMIN_LOOKS);
  await opened.context.close();
});

it('every page of a suspended person, who reads why on each', async () => {
  const person = await createUser(site.ctx);
  await setUserStatus(actingAs(site.ctx, admin), {
    id: person.id,
    status: 'suspended',
    days: 7,
    reason: 'Three of your codes had been used before you swapped them.',
  });
  const opened = await open();
  await signIn(site, opened.context, person);
  // The place of the notice is kept from the second load on.
  await opened.page.goto('/');
  await opened.page.getByRole('complementary', { name: 'Suspension' }).waitFor();
  // The notice is the same on each.
  await expectGoodPages(opened, shortOrLong(['/'], ['/', '/my-coupons', '/messages', '/profile-settings']));
  for (const path of shortOrLong(['/coupons/1'], ['/', '/coupons/1', '/profile-settings'])) {
    await opened.page.goto(path);
    await opened.page.getByRole('button', { name: 'See why and how to appeal' }).click();
    await opened.page
      .getByRole('dialog')
      .getByText(/Three of your codes/)
      .waitFor();
  }
  await opened.context.close();
});

it('a dialog', async () => {
  const opened = await open();
  await signIn(site, opened.context, member);
  for (const [index, [path, name, look]] of [
    ...DIALOGS,
    [sale, /Bid #/, PURCHASE_LOOKS.sale] as const,
  ].entries()) {
    for (const windows of windowsFor(index)) {
      await opened.page.setViewportSize(windows[0]);
      await opened.page.emulateMedia({ colorScheme: index % 2 === 0 ? 'dark' : 'light' });
      await opened.page.goto(path);
      await opened.page.getByRole('dialog', { name }).waitFor();
      await expectGoodState(opened, windows, look);
    }
  }
  opened.assertNoConsoleErrors();
  await opened.context.close();
});

it('a conversation keeps still on a phone when its messages come after it', async () => {
  const opened = await open({ ...WINDOWS[1] });
  const { page, context } = opened;
  const sendMessages = await holdBack(page, /messages\.list/);
  await signIn(site, context, member);
  await page.goto('/messages?exchange=1');
  await page.getByRole('link', { name: 'Exchange #1' }).waitFor();
  sendMessages();
  await settle(opened);
  await expectNoLayoutJump(page);
  await context.close();
});

// At 1280 px in the short form.
it.each(windowsFor(0))(
  'a passkey is added, signs in, and signs nobody in once it is removed',
  async (...windows) => {
    const person = await createUser(site.ctx);
    const opened = await open({ ...windows[0] });
    const { context, page } = opened;
    await addAuthenticator(page);
    await signIn(site, opened.context, person);
    await page.goto('/profile-settings#passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel('Name').fill('My thumb');
    await adding.getByLabel('Your password').fill(TEST_PASSWORD);
    await expectGoodState(opened, windows);
    await adding.getByRole('button', { name: 'Continue' }).click();
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText(/not used yet/).waitFor();
    await adding.waitFor({ state: 'detached' });
    await expectGoodState(opened, windows);

    await context.clearCookies();
    await page.goto('/auth?from=/profile-settings');
    const passkeyButton = page.getByRole('button', { name: 'Sign in with a passkey' });
    await passkeyButton.click();
    await passkeys.getByText(/last used/).waitFor();

    await page.getByRole('button', { name: 'Remove My thumb' }).click();
    const removing = page.getByRole('dialog', { name: 'Remove this passkey?' });
    await removing.getByRole('button', { name: 'Use a passkey instead' }).waitFor();
    await expectGoodState(opened, windows);
    await removing.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('You have no passkeys yet.').waitFor();
    opened.assertNoConsoleErrors();

    await context.clearCookies();
    await page.goto('/auth');
    await passkeyButton.click();
    await page.getByText('This passkey did not work.').waitFor();
    opened.assertNoConsoleErrors([/401/]);
    await context.close();
  },
);
