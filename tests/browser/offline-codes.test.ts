import { setTimeout } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { stored } from './browser-database.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** Codes on the device, for tills without a network. */

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

let counter = 4_400;

/** Opens the page of a coupon of somebody new. */
async function openOwn(): Promise<{ page: Page; owner: Actor; id: number; code: string }> {
  const owner = await createUser(site.ctx);
  counter += 1;
  const code = `SOUP-${counter}-TILL`;
  const { id } = await createCoupon(site.ctx, owner, { title: 'Soup for two', code });
  const { page, context } = await openPage(browser, { width: 390, baseUrl: site.baseUrl });
  await signIn(site, context, owner);
  await page.goto(`/coupons/${id}`);
  return { page, owner, id, code };
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your coupon code' });
const show = (page: Page) => page.getByRole('button', { name: 'Show code' }).first().click();

async function storeAll(page: Page): Promise<void> {
  await show(page);
  await dialog(page).getByLabel('Keep my codes on this device').check();
  await vi.waitFor(async () => expect(await countStored(page)).toBe(1), WAIT_MS);
  await dialog(page).getByRole('button', { name: 'Close' }).first().click();
  await dialog(page).waitFor({ state: 'hidden' });
}

/** What a scanner reads from the picture that is drawn of a code. */
async function drawnCode(page: Page, title: string): Promise<string[]> {
  await dialog(page).getByRole('button', { name: 'Show as QR code' }).click();
  const picture = dialog(page).getByRole('img', { name: `Code of ${title}, shown as QR code` });
  await picture.and(page.locator('[data-loaded]')).waitFor();
  const { codes } = await site.ctx.providers.pictures.read(await picture.screenshot());
  return codes.map(({ text }) => text);
}

/** How many codes are in the database of the browser. */
async function countStored(page: Page): Promise<number> {
  return (await stored(page)).filter((name) => name.startsWith('code-')).length;
}

it('an offline code is shown without the network, can be scanned, and is reported with the time it was shown', async () => {
  const { page, id, code } = await openOwn();
  await storeAll(page);
  await page.context().setOffline(true);
  await show(page);
  await dialog(page).getByText('This code is kept on this device.').waitFor();
  // In the form in which it is stored; what is drawn comes last, as with the network.
  await dialog(page).getByText(code).waitFor();
  expect(await drawnCode(page, 'Soup for two')).toEqual([code]);

  const reported = () =>
    site.ctx.db
      .selectFrom('couponReveals')
      .select('revealedAt')
      .where('couponId', '=', id)
      .where('reportedAt', 'is not', null)
      .execute();
  expect(await reported()).toEqual([]);
  await page.context().setOffline(false);
  await vi.waitFor(async () => expect(await reported()).toHaveLength(1), WAIT_MS);
});

it('codes that are still on their way when the device is to forget them are not kept', async () => {
  const { page } = await openOwn();
  await storeAll(page);
  const held: Route[] = [];
  await page.route(/coupons\.keepCodes/, (route) => void held.push(route));
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await vi.waitFor(() => expect(held).toHaveLength(1), WAIT_MS);
  await show(page);
  await dialog(page).getByLabel('Keep my codes on this device').uncheck();
  await vi.waitFor(async () => expect(await stored(page)).toEqual([]), WAIT_MS);
  const answered = page.waitForResponse(/coupons\.keepCodes/);
  await held[0]?.continue();
  await answered;
  // Nothing tells when a page has not stored what has come.
  await setTimeout(500);
  expect(await stored(page)).toEqual(['clock']);
});

it('the offline codes of one merchant follow each other without the network, each a view of its own', async () => {
  const { page, owner, id } = await openOwn();
  const { id: nextId, code } = await createCoupon(site.ctx, owner, { title: 'Bread' });
  await show(page);
  await dialog(page).getByLabel('Keep my codes on this device').check();
  await vi.waitFor(async () => expect(await countStored(page)).toBe(2), WAIT_MS);
  await dialog(page).getByRole('button', { name: 'Close' }).first().click();
  await dialog(page).waitFor({ state: 'hidden' });
  await page.context().setOffline(true);
  await show(page);
  await dialog(page).getByText('1 of 2 at Bakery Lane').waitFor();
  await page.keyboard.press('ArrowRight');
  await dialog(page).getByText('2 of 2 at Bakery Lane').waitFor();
  expect(await drawnCode(page, 'Bread')).toEqual([code]);

  await page.context().setOffline(false);
  const { db } = site.ctx;
  const reported = () =>
    db
      .selectFrom('couponReveals')
      .select('couponId')
      .where('userId', '=', owner.id)
      .where('reportedAt', 'is not', null)
      .orderBy('couponId')
      .execute();
  await vi.waitFor(
    async () => expect(await reported()).toEqual([{ couponId: id }, { couponId: nextId }]),
    WAIT_MS,
  );
});

it('the installed app opens cold without the network on the kept codes, a press from each', async () => {
  const owner = await createUser(site.ctx);
  await createCoupon(site.ctx, owner, { title: 'Soup for two', code: 'COLD-START-1' });
  const { page: first, context } = await openPage(browser, {
    width: 390,
    baseUrl: site.baseUrl,
    loadsWhenIdle: true,
  });
  await signIn(site, context, owner);
  await first.goto('/my-coupons');
  await storeAll(first);
  await first.evaluate(async () => void (await navigator.serviceWorker.ready));
  await vi.waitFor(
    async () =>
      expect(await first.evaluate(() => Object.values(localStorage).join())).toContain('accounts.me'),
    WAIT_MS,
  );
  await first.close();

  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('region', { name: '1 code on this device' }).getByText('Soup for two').waitFor();
  await show(page);
  await dialog(page).getByText('COLD-START-1').waitFor();
  expect(await drawnCode(page, 'Soup for two')).toEqual(['COLD-START-1']);
});

it.each([
  ['GO-5', 64, 1],
  ['SUMMERS8', 40, 1],
  ['SPRING-2026', 30, 1],
  ['6006491234567890', 27, 2],
])('the code %s is as large as a phone of 320 px allows, in whole groups', async (code, least, lines) => {
  const owner = await createUser(site.ctx);
  const { id } = await createCoupon(site.ctx, owner, { code });
  const { page, context } = await openPage(browser, { width: 320, baseUrl: site.baseUrl });
  await signIn(site, context, owner);
  await page.goto(`/coupons/${id}`);
  await show(page);
  const text = dialog(page).getByLabel('Coupon code');
  await text.getByText(code).waitFor();
  const shown = await text.evaluate((element) => {
    const { fontSize, lineHeight, paddingTop } = getComputedStyle(element);
    const inner = element.clientHeight - 2 * Number.parseFloat(paddingTop);
    const scrolls = element.scrollWidth > element.clientWidth || document.documentElement.scrollWidth > 320;
    return { size: Number.parseFloat(fontSize), lines: inner / Number.parseFloat(lineHeight), scrolls };
  });
  expect(shown).toEqual({ size: expect.any(Number), lines: expect.closeTo(lines, 1), scrolls: false });
  expect(shown.size).toBeGreaterThanOrEqual(least);
  await context.close();
});

it('a code that was given away elsewhere is gone from the device at the next contact, though the first attempt fails', async () => {
  const { page, id } = await openOwn();
  await storeAll(page);
  await page.context().setOffline(true);
  await page.route(/coupons\.keepCodes/, (route) => route.abort(), { times: 1 });
  const other = await createUser(site.ctx);
  await site.ctx.db.updateTable('coupons').set({ ownerId: other.id }).where('id', '=', id).execute();
  await page.context().setOffline(false);
  await vi.waitFor(async () => expect(await countStored(page)).toBe(0), WAIT_MS);
});

it('all codes are gone when the session ends elsewhere, and when somebody else signs in', async () => {
  const { page, owner } = await openOwn();
  await storeAll(page);
  await site.ctx.db.deleteFrom('sessions').where('userId', '=', owner.id).execute();
  await page.reload();
  await vi.waitFor(async () => expect(await countStored(page)).toBe(0), WAIT_MS);

  const next = await openOwn();
  await storeAll(next.page);
  await next.page.context().clearCookies();
  await signIn(site, next.page.context(), await createUser(site.ctx));
  await next.page.reload();
  await vi.waitFor(async () => expect(await countStored(next.page)).toBe(0), WAIT_MS);
});

it('a device that has not reached us for 14 days shows nothing', async () => {
  const { page } = await openOwn();
  await storeAll(page);
  await page.context().setOffline(true);
  await setClock(page, 15);
  await show(page);
  await dialog(page).getByText('We could not show the code').waitFor();
  expect(await countStored(page)).toBe(0);
});

/** Sets the clock of the page to so many days from now. */
async function setClock(page: Page, days: number): Promise<void> {
  await page.evaluate((ms) => {
    const clock = window as { real?: () => number };
    clock.real ??= Date.now;
    const { real } = clock;
    Date.now = () => real() + ms;
  }, days * 86_400_000);
}

it('a clock that is set back does not bring the days back, and one an hour wrong changes nothing', async () => {
  const { page } = await openOwn();
  await storeAll(page);
  await page.context().setOffline(true);
  const close = async () => {
    await dialog(page).getByRole('button', { name: 'Close' }).first().click();
    await dialog(page).waitFor({ state: 'hidden' });
  };
  for (const days of [-1 / 24, 1 / 24, 13, -20]) {
    await setClock(page, days);
    await show(page);
    await dialog(page).getByText('This code is kept on this device.').waitFor();
    await close();
  }
  // Two days after the 13 that were seen.
  await setClock(page, -18);
  await show(page);
  await dialog(page).getByText('We could not show the code').waitFor();
  expect(await countStored(page)).toBe(0);
});

it('a view is reported with its age where the clock is an hour slow', async () => {
  const { page, id } = await openOwn();
  await storeAll(page);
  await page.context().setOffline(true);
  await setClock(page, -1 / 24);
  await show(page);
  await dialog(page).getByText('This code is kept on this device.').waitFor();
  await page.context().setOffline(false);
  const { db } = site.ctx;
  const views = db
    .selectFrom('couponReveals')
    .selectAll()
    .where('couponId', '=', id)
    .where('reportedAt', 'is not', null);
  await vi.waitFor(async () => expect(await views.execute()).toHaveLength(1), WAIT_MS);
  const { revealedAt, reportedAt } = await views.executeTakeFirstOrThrow();
  expect(Number(reportedAt) - Number(revealedAt)).toBeLessThan(WAIT_MS);
});

it('the settings say how many codes the device keeps, and remove them all', async () => {
  const { page } = await openOwn();
  await page.goto('/profile-settings#offline-codes');
  const section = page.getByRole('region', { name: 'Codes on this device' });
  const choice = section.getByLabel('Keep my codes on this device');
  await choice.check();
  await section.getByText('This device keeps 1 code. Last renewed: Just now').waitFor();
  expect(await countStored(page)).toBe(1);
  await section.getByRole('button', { name: 'Remove all codes from this device' }).click();
  await section.getByText('This device keeps').waitFor({ state: 'hidden' });
  expect([await choice.isChecked(), await countStored(page)]).toEqual([false, 0]);
});

it('a browser that keeps nothing says so, and nothing is half kept', async () => {
  const owner = await createUser(site.ctx);
  const { id } = await createCoupon(site.ctx, owner, { title: 'Soup for two' });
  const { page, context } = await openPage(browser, { width: 390, baseUrl: site.baseUrl });
  await signIn(site, context, owner);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('refused', 'SecurityError');
    };
  });
  await page.goto(`/coupons/${id}`);
  await show(page);
  const choice = dialog(page).getByLabel('Keep my codes on this device');
  await choice.click();
  await page.getByText('This browser does not let us keep anything.').waitFor();
  expect(await choice.isChecked()).toBe(false);
});

it('a full device says so, and nothing is half kept', async () => {
  const { page } = await openOwn();
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      if (String(key).startsWith('code-')) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, key);
    };
  });
  await show(page);
  const choice = dialog(page).getByLabel('Keep my codes on this device');
  await choice.click();
  await page.getByText('This device has no room left for them.').waitFor();
  expect(await choice.isChecked()).toBe(false);
  expect(await countStored(page)).toBe(0);
});
