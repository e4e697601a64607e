import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SETTINGS_PAGE_NAMES, type SettingsPage } from '#contract/base/settings-sections.ts';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { settle } from './good-pages.ts';
import { closePages, expectNoLayoutJump, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

let site: Site;
let member: Actor;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  member = await createUser(site.ctx);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** What can be pressed or filled in on each page, with its tabs, by somebody who has set up nothing. Of the one page that there was: 71. */
const CONTROLS: Readonly<Record<SettingsPage, number>> = { me: 22, safety: 6, messages: 32, programs: 8 };

const controlsIn = (page: Page) =>
  page
    .getByRole('main')
    .locator('a[href], button, input, select, textarea')
    .filter({ visible: true })
    .count();

it.each([
  // Two screens.
  { width: 1280, height: 800, most: 1600 },
  { width: 390, height: 844, most: 3000 },
])('at $width px the pages of the settings stay short, and get no more controls', async (window) => {
  const { most, ...size } = window;
  const opened = await openPage(await sharedBrowser(), { baseUrl: site.baseUrl, ...size });
  await signIn(site, opened.context, member);
  const found: Partial<Record<SettingsPage, number>> = {};
  const tooLong: string[] = [];
  for (const path of ['/fr/profile-settings', '/profile-settings'])
    for (const tab of SETTINGS_PAGE_NAMES) {
      await opened.page.goto(`${path}?tab=${tab}`);
      await settle(opened);
      await expectNoLayoutJump(opened.page);
      const { height } = (await opened.page.getByRole('main').boundingBox()) ?? { height: Number.NaN };
      if (!(height <= most)) tooLong.push(`${path} ${tab}: ${height}`);
      found[tab] = await controlsIn(opened.page);
    }
  expect(tooLong).toEqual([]);
  if (size.width > 1000) expect(found).toEqual(CONTROLS);
  opened.assertNoConsoleErrors();
  await opened.context.close();
});

it('on a phone a list leads to the pages and back, and a link to a section to that section', async () => {
  const opened = await openPage(await sharedBrowser(), { baseUrl: site.baseUrl, width: 390, height: 844 });
  const { page } = opened;
  await signIn(site, opened.context, member);
  await page.goto('/profile-settings');
  const list = page.getByRole('navigation', { name: 'Settings' });
  await list.getByRole('link', { name: /^Programs/ }).click();
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  expect(await list.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'All settings' }).click();
  await list.waitFor();
  expect(await page.getByRole('heading', { name: 'Profile', exact: true }).isVisible()).toBe(false);
  await page.goto('/how-it-works');
  await page.goto('/profile-settings#devices');
  await expect
    .poll(() => page.locator('#devices').evaluate((element) => element.getBoundingClientRect().top < 200))
    .toBe(true);
  opened.assertNoConsoleErrors();
  await opened.context.close();
});
