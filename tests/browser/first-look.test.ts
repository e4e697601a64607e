import * as cheerio from 'cheerio';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { closePages, expectNoLayoutJump, openPage, placeOf, sharedBrowser } from './harness.ts';
import { busiestMember } from './page-lists.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ withDemo: true });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Runs in the page, before anything else: notes the first of the page's headings. */
function noteHeading(): void {
  new MutationObserver((_changes, observer) => {
    const heading = document.querySelector('h1');
    if (!heading) return;
    Object.assign(globalThis, { firstHeading: heading });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

const isTakenOver = (page: Page) =>
  page.evaluate(() => Reflect.get(globalThis, 'firstHeading') === document.querySelector('h1'));

const PAGES = ['/', '/coupons/1', '/merchants/Noodle%20Alley', '/how-it-works', '/terms', '/proofs'];

describe.each(['', '/fr'])('%s', (prefix) => {
  it.each(PAGES)('%s is read without scripts, and taken over by them as it is', async (path) => {
    const address = `${prefix}${path}`.replace(/(?<=.)\/$/, '');
    const browser = await sharedBrowser();
    const unscripted = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
    const plain = await unscripted.newPage();
    await plain.goto(address);
    const heading = await plain.locator('h1').innerText();
    const text = await plain.locator('main').innerText();
    await unscripted.close();
    for (const width of [390, 1280]) {
      const { page, context, quiet, assertNoConsoleErrors } = await openPage(browser, {
        baseUrl: site.baseUrl,
        width,
      });
      await page.addInitScript(noteHeading);
      await page.goto(address);
      await quiet();
      expect(await page.locator('h1').innerText()).toBe(heading);
      expect(await isTakenOver(page), `${width}`).toBe(true);
      await expectNoLayoutJump(page);
      assertNoConsoleErrors();
      await context.close();
    }
    expect(text.length).toBeGreaterThan(300);
  });
});

it.each(['/', '/fr'])('%s shows the first coupon and its value above the bar of a phone', async (path) => {
  const browser = await sharedBrowser();
  const { page, context, quiet } = await openPage(browser, {
    baseUrl: site.baseUrl,
    width: 390,
    height: 844,
  });
  await page.goto(path);
  await quiet();
  const value = await placeOf(page.locator('main article [data-stub]:visible').first().getByText(/[$%]/));
  const bar = await placeOf(
    page.getByRole('navigation').filter({ has: page.getByRole('button', { name: 'Menu' }) }),
  );
  expect(value.bottom).toBeLessThanOrEqual(bar.y);
  await context.close();
});

it('search engines get the whole text, and members what their browser makes of it', async () => {
  const mainOf = async (headers: Record<string, string>) => {
    const answer = await fetch(`${site.baseUrl}/coupons/1`, { headers });
    return cheerio
      .load(await answer.text())('main')
      .text();
  };
  const { description } = await site.ctx.db
    .selectFrom('coupons')
    .select('description')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  expect(await mainOf({ 'user-agent': 'Googlebot/2.1' })).toContain(description);
  const { token } = await startSession(site.ctx.db, site.ctx.clock, (await busiestMember(site)).id);
  expect(await mainOf({ cookie: `${sessionCookieName(site.deps.config)}=${token}` })).toBe('');
});

it('has room for the coupons that were viewed in this browser, and none where there are none', async () => {
  const { page, context, quiet, assertNoConsoleErrors } = await openPage(await sharedBrowser(), {
    baseUrl: site.baseUrl,
    width: 390,
  });
  await page.goto('/coupons/1');
  await quiet();
  await page.goto('/');
  await page
    .locator('section[aria-label="Recently viewed"], h2:has-text("Recently viewed")')
    .first()
    .waitFor();
  await expectNoLayoutJump(page);
  assertNoConsoleErrors();
  await context.close();
});
