import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { closePages, openPage, saveData, sharedBrowser } from './harness.ts';
import { openSite, openTwice, type Site, signIn } from './site.ts';

const ASSETS = path.resolve(import.meta.dirname, '../../dist/web/assets');

let site: Site;
let browser: Browser;
let mia: Actor;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  mia = await createUser(site.ctx);
  await createCoupon(site.ctx, mia, { title: 'Soup for two', code: 'SOUPCODE-1234' });
  await createCoupon(site.ctx, await createUser(site.ctx), { title: 'Bread for one' });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Everything that the browser keeps of the site, but its cookies. */
const keptOn = (page: Page) =>
  page.evaluate(async () => {
    const cached: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) cached.push(new URL(url).pathname);
    return { storage: Object.values(localStorage).join(), cached };
  });

/** Visits pages as a member, and waits until they are kept. */
async function visit(...paths: readonly string[]): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl, loadsWhenIdle: true });
  await signIn(site, context, mia);
  for (const address of paths) {
    await openTwice(page, address);
    await page.getByRole('article').first().waitFor();
    await expect.poll(async () => (await keptOn(page)).storage).toContain('accounts.me');
  }
  return { page, context };
}

it('after a second visit the lists open without the network, with their age and without codes; the sign-out drops them', async () => {
  const { page: first, context } = await visit('/', '/my-coupons');
  await expect.poll(async () => (await keptOn(first)).storage).toContain('coupons.mine');
  await first.close();

  await context.setOffline(true);
  const page = await context.newPage();
  await page.clock.setFixedTime(Date.now() + 5.5 * 60_000);
  await page.goto('/my-coupons');
  await page.getByRole('article', { name: 'Soup for two' }).waitFor();
  await page.getByText('You are offline. Seen 5 minutes ago.').waitFor();
  await page.getByRole('link', { name: 'Explore', exact: true }).first().click();
  await page.getByRole('article', { name: 'Bread for one' }).waitFor();
  const { storage, cached } = await keptOn(page);
  expect(storage).not.toContain('SOUP');
  expect(cached).toContain('/offline-shell');
  expect(cached.filter((path) => !/^\/(assets\/|offline-shell$|favicon\.svg$)/.test(path))).toEqual([]);
  expect(cached.filter((path) => /admin|moderat|camera|checkout|\.wasm$/.test(path))).toEqual([]);

  await context.setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await expect.poll(async () => (await keptOn(page)).storage).toContain('"viewerId":null');
  expect((await keptOn(page)).storage).not.toMatch(/coupons\.mine|@|••/);
  await context.close();
});

it('what waits for the network is sent by the page that is opened next', async () => {
  const { id } = await createCoupon(site.ctx, mia, { title: 'Cake for three' });
  const { page, context } = await visit('/my-coupons');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Mark Cake for three as used' }).click();
  await page.getByText(/1 change waits until then/).waitFor();
  await page.close();
  await context.setOffline(false);
  await (await context.newPage()).goto('/how-it-works');
  const read = site.ctx.db.selectFrom('coupons').select('usedAt').where('id', '=', id);
  await expect.poll(async () => (await read.executeTakeFirstOrThrow()).usedAt).not.toBeNull();
  await context.close();
});

/** The active version, and the one that waits. */
const versions = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const nameOf = (worker?: ServiceWorker | null) => worker?.scriptURL.replace(/^.*\//, '');
    return [nameOf(registration?.active), nameOf(registration?.waiting)];
  });

it('a new version waits until the pages of the old one are closed, and leaves what is typed', async () => {
  const { page: first, context } = await visit('/');
  await first.close();
  // The application does not register its own again.
  await context.addInitScript(saveData);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByLabel('Search coupons').fill('bread');
  // Another address is another version.
  await page.evaluate(() => void navigator.serviceWorker.register('/sw.js?2'));
  await expect.poll(() => versions(page)).toEqual(['sw.js', 'sw.js?2']);
  expect(await page.getByLabel('Search coupons').inputValue()).toBe('bread');
  await page.close();
  const next = await context.newPage();
  const activeAfterAll = async () => {
    await next.goto('about:blank');
    await next.goto('/robots.txt');
    return (await versions(next))[0];
  };
  await expect.poll(activeAfterAll).toBe('sw.js?2');
  await context.close();
});

it('tries nothing that the policy of its pages forbids', async () => {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl, loadsWhenIdle: true });
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(globalThis, { violations });
    document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
      violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto('/');
  const scripts = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const all = JSON.stringify(scripts.map((name) => `/assets/${name}`));
  await page.evaluate(`Promise.all(${all}.map((file) => import(file)))`);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violations'))).toEqual([]);
  await context.close();
});

it('can be installed: the manifest has its icons, and shortcuts and ways for files to pages that there are', async () => {
  const get = (path: string) => fetch(site.baseUrl + path);
  const answer = await get('/manifest.webmanifest');
  expect(answer.headers.get('content-type')).toContain('application/manifest+json');
  const manifest = await answer.json();
  expect(manifest).toMatchObject({ name: 'ClipSwap', start_url: '/', display: 'standalone' });
  for (const { src, type } of [...manifest.icons, { src: '/icon-apple-180.png', type: 'image/png' }]) {
    const { status, headers } = await get(src);
    expect([status, headers.get('content-type')], src).toEqual([200, type]);
  }
  const led = [
    ...manifest.shortcuts.map(({ url }: { url: string }) => url),
    manifest.file_handlers[0].action,
  ];
  for (const url of led) expect((await get(url)).status, url).toBe(200);
  const { action, method, params } = manifest.share_target;
  expect(params).toMatchObject({ text: 'text', url: 'text', files: [{ name: 'files' }] });
  expect((await fetch(site.baseUrl + action, { method, redirect: 'manual' })).status).toBe(303);
});
