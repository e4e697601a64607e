import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, openTwice, type Site, signIn } from './site.ts';

let site: Site;
let browser: Browser;
let mia: Actor;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  mia = await createUser(site.ctx);
  await createCoupon(site.ctx, mia, { title: 'Soup for two' });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it('a visitor reads a page in French, stays in it, finds it again, and goes back to English', async () => {
  const { page, context, assertNoConsoleErrors } = await openPage(browser, { baseUrl: site.baseUrl });
  await page.goto('/how-it-works?from=mail');
  await page.getByRole('link', { name: 'Français' }).click();
  await page.waitForURL('/fr/how-it-works?from=mail');
  await page.getByRole('heading', { level: 1, name: 'Comment ça marche' }).waitFor();
  await page.getByRole('link', { name: 'Explorer', exact: true }).first().click();
  await page.waitForURL('/fr/');
  await page.getByRole('article', { name: 'Soup for two' }).waitFor();
  await page.goto('/');
  await page.waitForURL('/fr/');
  await page.getByRole('link', { name: 'English' }).click();
  await page.waitForURL('/');
  await page.getByRole('link', { name: 'Explore', exact: true }).first().waitFor();
  assertNoConsoleErrors();
  await context.close();
});

it('a member chooses the language of pages and mails in the settings', async () => {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl });
  await signIn(site, context, mia);
  await page.goto('/profile-settings#language');
  await page.getByText('Français', { exact: true }).first().click();
  await page.waitForURL('/fr/profile-settings#language');
  const languageOf = () =>
    site.ctx.db.selectFrom('users').select('language').where('id', '=', mia.id).executeTakeFirstOrThrow();
  expect(await languageOf()).toEqual({ language: 'fr' });
  await context.close();
});

it('the French application opens without the network, in French', async () => {
  const { page: first, context } = await openPage(browser, { baseUrl: site.baseUrl, loadsWhenIdle: true });
  await openTwice(first, '/fr/how-it-works');
  await first.close();
  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto('/fr/how-it-works');
  await page.getByRole('heading', { level: 1, name: 'Comment ça marche' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA');
  await context.close();
});
