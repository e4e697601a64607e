import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { settle } from './good-pages.ts';
import {
  closePages,
  expectNoAxeViolations,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  openPage,
  placeOf,
  sharedBrowser,
} from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

let site: Site;
let member: Actor;
let theirs: number;

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  const { ctx } = site;
  member = await createUser(ctx, { username: 'mia' });
  const other = await createUser(ctx, { username: 'theo' });
  await bidOn(ctx, other, await createCoupon(ctx, member));
  theirs = (await createCoupon(ctx, other)).id;
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

const bar = (page: Page) => page.getByRole('navigation', { name: 'Shortcuts' });

/** The pixels between the lower edge of something, at the end of the page, and the bar. */
async function gapAbove(page: Page, selector: string): Promise<number> {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const [lower, top] = [await placeOf(page.locator(selector)), await placeOf(bar(page))];
  return Math.round(top.y - lower.bottom);
}

/** Whether a part of something lies in the window as it is scrolled now. */
const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });

it('in a low window, as at 400 % of size, the bars scroll away, and the first stop skips them', async () => {
  const opened = await openPage(await sharedBrowser(), { baseUrl: site.baseUrl, width: 320, height: 256 });
  const { page } = opened;
  await signIn(site, opened.context, member);
  await page.goto(`/coupons/${theirs}`);
  await bar(page).waitFor();
  await settle(opened);
  expect(await isInView(page, 'header')).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  const fixed = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
      .map((element) => element.getBoundingClientRect())
      .filter(({ top, bottom, height }) => height > 1 && bottom > 0 && top < window.innerHeight),
  );
  expect(fixed).toEqual([]);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  expect(await isInView(page, '[aria-label="Shortcuts"]')).toBe(true);
  await expectNoSidewaysScroll(page);
  await opened.context.close();
});

it('on a phone, the bar at the bottom leads a member everywhere and covers nothing [decisions 6.2.2]', async () => {
  const opened = await openPage(await sharedBrowser(), { baseUrl: site.baseUrl, width: 390, height: 844 });
  const { page } = opened;
  await signIn(site, opened.context, member);
  await page.goto('/');
  await bar(page).waitFor();
  await settle(opened);
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  await expectNoLayoutJump(page);
  expect(await gapAbove(page, 'footer >> text=©')).toBeGreaterThanOrEqual(0);
  const labels = await bar(page).locator('a, button').allInnerTexts();
  expect(labels.map((label) => label.replace(/\d.*/s, '').trim())).toEqual([
    'Explore',
    'My Coupons',
    'Add',
    'Deals',
    'Me',
  ]);

  await bar(page).getByRole('link', { name: 'Deals 1 deal needs you' }).click();
  await page.waitForURL('/deals');
  await page.getByRole('heading', { name: 'Your turn' }).waitFor();
  expect(
    await bar(page)
      .getByRole('link', { name: /^Deals/ })
      .getAttribute('aria-current'),
  ).toBe('page');
  await expectNoAxeViolations(page);
  await page.getByRole('navigation', { name: 'Views of your deals' }).getByText('Exchanges').click();
  await page.waitForURL('/exchanges');
  await page.getByRole('heading', { name: 'Exchanges', level: 1 }).waitFor();
  expect(
    await bar(page)
      .getByRole('link', { name: /^Deals/ })
      .getAttribute('aria-current'),
  ).toBe('page');

  await bar(page).getByRole('button', { name: 'Add a coupon' }).click();
  await page.getByRole('dialog', { name: 'Add a New Coupon' }).waitFor();
  await page.keyboard.press('Escape');
  await bar(page).getByRole('button', { name: 'Me' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByText('Dark').click();
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
  await expectNoAxeViolations(page);
  await menu.getByRole('link', { name: 'Transaction Logs' }).click();
  await page.waitForURL('/transaction-logs');
  await bar(page).locator('button[aria-current]', { hasText: 'Me' }).waitFor();

  await page.goto(`/coupons/${theirs}`);
  await settle(opened);
  await bar(page).waitFor();
  expect(await gapAbove(page, 'footer >> text=©')).toBeGreaterThanOrEqual(64);
  expect(await gapAbove(page, 'main button:has-text("Exchange")')).toBeGreaterThanOrEqual(0);
  await expectNoAxeViolations(page);
  opened.assertNoConsoleErrors();
  await opened.context.close();
});

it('on a phone, the keyboard leaves its field and the main button in view', async () => {
  const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
  const context = await (await sharedBrowser()).newContext({ baseURL: site.baseUrl, ...phone });
  await signIn(site, context, member);
  const page = await context.newPage();
  await page.goto(`/coupons/${theirs}`);
  await bar(page).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Bid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Place a Bid' });
  const field = dialog.getByLabel('Message');
  await field.focus();
  // A dialog lies over it.
  const shortcuts = page.locator('nav[aria-label="Shortcuts"]');
  expect(await shortcuts.isVisible()).toBe(true);
  // As `interactive-widget` in index.html has it.
  await page.setViewportSize({ width: 360, height: 340 });
  await field.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
  const button = await placeOf(dialog.getByRole('button', { name: 'Place bid' }));
  expect(button.bottom).toBeLessThanOrEqual(340);
  expect((await placeOf(field)).bottom).toBeLessThanOrEqual(button.y);
  await expect.poll(() => isInView(page, '[aria-label="Shortcuts"]')).toBe(false);
  await context.close();
});
