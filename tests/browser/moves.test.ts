import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { expectGoodPages, settle, WINDOWS } from './good-pages.ts';
import {
  closePages,
  expectNoLayoutJump,
  holdBack,
  openPage,
  type PageOptions,
  placeOf,
  sharedBrowser,
} from './harness.ts';
import { busiestMember } from './page-lists.ts';
import { openSite, type Site, signIn } from './site.ts';

/** What moves on a page that loads slowly, and where links and reloads lead. */

/** Loaded slowly; the short form takes one in each window. */
const HELD = ['/', '/coupons/1'];

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = await openSite({ withDemo: true });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Opens a page at the demo's time. */
const open = (options: Partial<PageOptions> = {}) =>
  openPage(browser, { baseUrl: site.baseUrl, time: site.ctx.clock(), ...options });

it('every page of a suspended person, who reads why on each', async () => {
  const admin = await createUser(site.ctx, { role: 'admin' });
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

it('a conversation keeps still on a phone when its messages come after it', async () => {
  const opened = await open({ ...WINDOWS[1] });
  const { page, context } = opened;
  const sendMessages = await holdBack(page, /messages\.list/);
  await signIn(site, context, await busiestMember(site));
  await page.goto('/messages?exchange=1');
  await page.getByRole('link', { name: 'Exchange #1' }).waitFor();
  sendMessages();
  await settle(opened);
  await expectNoLayoutJump(page);
  await context.close();
});

it.each(WINDOWS.map((window, index) => ({ ...window, paths: shortOrLong([HELD[index] ?? '/'], HELD) })))(
  'keeps still at $width px when font and viewer come after a page without first answers',
  async ({ paths, ...window }) => {
    const opened = await open({ ...window });
    const { page, context } = opened;
    const held: (() => void)[] = [];
    await page.route(/\.woff2|accounts\.me/, async (route) => {
      await new Promise<void>((release) => held.push(release));
      await route.continue();
    });
    // As while the database is slow.
    await page.route(
      ({ pathname }) => HELD.includes(pathname),
      async (route) => {
        const response = await route.fetch();
        const html = await response.text();
        const body = html.replace(/<script type="application\/json" id="first-answers"[^<]*<\/script>/, '');
        expect(body.length).toBeLessThan(html.length);
        await route.fulfill({ response, body });
      },
    );
    for (const path of paths) {
      const data = page.waitForResponse(/coupons\.(list|byId)/);
      await page.goto(path, { waitUntil: 'commit' });
      await data;
      // Long enough to draw what is there.
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 300)));
      for (const release of held.splice(0)) release();
      await settle(opened);
      await expectNoLayoutJump(page);
    }
    await context.close();
  },
);

it('the filters on a phone keep still when a visitor’s country comes after them', async () => {
  const opened = await open({ ...WINDOWS[1] });
  const { page, context } = opened;
  const sendCountry = await holdBack(page, /visitor-country/);
  await page.goto('/?q=coffee');
  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await filters.getByRole('button', { name: /^Show .*coupon/ }).waitFor();
  // What moves within half a second after a press is not counted.
  await page.evaluate(() => new Promise((over) => setTimeout(over, 600)));
  sendCountry();
  await filters.getByLabel('Your country').first().waitFor();
  await settle(opened);
  await expectNoLayoutJump(page);
  await context.close();
});

it('a reload at the end of a page shows the end again, and nothing moves on the way', async () => {
  const opened = await open({ width: 390 });
  const { page, context } = opened;
  for (const path of ['/terms', '/coupons/1']) {
    await page.goto(path);
    await settle(opened);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const place = () => page.evaluate(() => window.scrollY);
    const left = await place();
    expect(left).toBeGreaterThan(0);
    await page.reload();
    await settle(opened);
    await vi.waitFor(async () => expect(await place()).toBe(left), WAIT_MS);
    await expectNoLayoutJump(page);
  }
  await context.close();
});

it.each(['/how-it-works#protection', '/terms#protection'])(
  '%s shows the part that it names',
  async (address) => {
    const { page, context } = await open({ width: 390 });
    await page.goto(address);
    const part = page.locator(new URL(page.url()).hash);
    const header = await placeOf(page.getByRole('banner'));
    await vi.waitFor(async () => {
      const { y } = await placeOf(part);
      expect(y).toBeGreaterThanOrEqual(header.height);
      expect(y).toBeLessThan(200);
    }, WAIT_MS);
    await context.close();
  },
);

it('a link leads where it says though a dialog closes in that moment, and Back leads back', async () => {
  const { page, context } = await open({ width: 390 });
  await page.goto('/');
  // The browser leaves a closed dialog's entry of the history some time after it is told to. The first page is not loaded
  // yet, the others are.
  for (const when of ['leaving', 'leaving', 'at once', 'a task later'] as const) {
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('dialog', { name: 'Filters' }).waitFor();
    await page.waitForFunction(() => history.state.dialogs === 1);
    await page.evaluate(async (moment) => {
      const follow = () => document.querySelector<HTMLElement>('footer a[href="/how-it-works"]')?.click();
      const hasLeft = new Promise((resolve) =>
        navigation.addEventListener(
          'currententrychange',
          ({ navigationType }) => navigationType === 'traverse' && resolve(undefined),
        ),
      );
      const go = history.go.bind(history);
      history.go = (steps) => {
        go(steps);
        if (moment === 'leaving') follow();
      };
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      if (moment === 'at once') follow();
      else await hasLeft;
      if (moment === 'a task later') setTimeout(follow, 0);
      history.go = go;
    }, when);
    await page.getByRole('heading', { level: 1, name: 'How' }).waitFor();
    expect(new URL(page.url()).pathname, when).toBe('/how-it-works');
    await page.goBack();
    await page.getByRole('button', { name: 'Filters' }).waitFor();
    expect(new URL(page.url()).pathname, when).toBe('/');
  }
  await context.close();
});
