import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import { closePages, expectNoAxeViolations, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import { openSite, openTwice, type Site, signIn } from './site.ts';

/** What other applications share with the installed one, and the files that it opens. */

interface SharedFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

let site: Site;
let browser: Browser;
let mia: Actor;
let picture: SharedFile;
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const table = {
  name: 'coupons.csv',
  type: 'text/csv',
  base64: base64('Merchant,Code\nRoots,ROOTS-1\nRoots,ROOTS-2'),
};
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  mia = await createUser(site.ctx, { username: 'mia' });
  picture = { name: 'shot.png', type: 'image/png', base64: base64(await drawFixture(SECOND_CODE)) };
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** Opens Home with the worker. */
async function openInstalled(who: Actor | null): Promise<OpenedPage> {
  const opened = await openPage(browser, { baseUrl: site.baseUrl, loadsWhenIdle: true });
  if (who) await signIn(site, opened.context, who);
  await openTwice(opened.page, '/');
  return opened;
}

/** Posts a form as the system does when somebody shares. */
async function share(page: Page, files: readonly SharedFile[], text = ''): Promise<void> {
  const gone = page.waitForEvent('domcontentloaded');
  await page.evaluate(
    ([given, words]) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64: content } of given)
        transfer.items.add(
          new File([Uint8Array.from(atob(content), (each) => each.charCodeAt(0))], name, { type }),
        );
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '/share-target', enctype: 'multipart/form-data' });
      const field = (type: string, name: string) =>
        form.appendChild(Object.assign(document.createElement('input'), { type, name }));
      if (given.length > 0) field('file', 'files').files = transfer.files;
      if (words !== '') field('text', 'text').value = words;
      document.body.append(form);
      form.submit();
    },
    [files, text] as const,
  );
  await gone;
}

/** The form for a new coupon. */
const added = (page: Page) => page.getByRole('dialog', { name: 'Add a New Coupon' });

/** Waits until the form is filled from the picture. */
async function isRead(page: Page): Promise<void> {
  await added(page)
    .getByText(/^We (filled in|could not read)/)
    .waitFor();
  expect(await added(page).getByLabel('Coupon code').inputValue()).toBe(SECOND_CODE.text);
}

/** Whether something still waits to be taken. */
const isKept = (page: Page) =>
  page.evaluate(
    async () => (await caches.match('/share-target', { cacheName: 'clipswap-shared' })) !== undefined,
  );

it('a shared picture is read into the form to add a coupon, once', async () => {
  const { page, context, assertNoConsoleErrors } = await openInstalled(mia);
  await share(page, [picture]);
  await isRead(page);
  await expectNoAxeViolations(page);
  expect(await isKept(page)).toBe(false);
  expect(new URL(page.url()).search).toBe('');
  assertNoConsoleErrors();
  await context.close();
});

it('several files, tables and texts become rows; what is none of ours says so', async () => {
  const { page, context } = await openInstalled(mia);
  await share(page, [table, { name: 'letter.doc', type: 'application/msword', base64: base64('Dear Sir') }]);
  await page.getByText(/^letter.doc: Choose an image file/).waitFor();
  await page.getByRole('heading', { name: '2 rows' }).waitFor();
  await page.evaluate(() => sessionStorage.clear());
  page.on('dialog', (dialog) => dialog.accept());
  await share(page, [], 'Roots, $5, ROOTS-3');
  await page.getByRole('heading', { name: '1 row' }).waitFor();
  await share(page, [{ name: 'song.mp3', type: 'audio/mpeg', base64: base64('la la') }]);
  await added(page)
    .getByText(/^Choose an image file/)
    .waitFor();
  await context.close();
});

it('a visitor signs in first, and finds the file; the sign-out drops it, and so do ten minutes', async () => {
  const { page, context } = await openInstalled(null);
  await share(page, [picture]);
  await page.getByLabel('Username').fill('mia');
  await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
  await isRead(page);

  const keep = (age: number) =>
    page.evaluate(async (at) => {
      const form = new FormData();
      form.append('files', new File(['x'], 'a.png', { type: 'image/png' }));
      const cache = await caches.open('clipswap-shared');
      await cache.put('/share-target', new Response(form, { headers: { date: new Date(at).toUTCString() } }));
    }, Date.now() - age);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/');
  await keep(0);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await expect.poll(() => isKept(page)).toBe(false);

  await signIn(site, context, mia);
  await keep(11 * 60_000);
  await page.goto('/my-coupons?add=shared');
  await added(page).getByText('We did not get the file that you shared.').waitFor();
  expect(await isKept(page)).toBe(false);
  await context.close();
});

it('without the worker the page says that the file has not come', async () => {
  const { page, context, assertNoConsoleErrors } = await openPage(browser, { baseUrl: site.baseUrl });
  await signIn(site, context, mia);
  await page.goto('/');
  await share(page, [picture]);
  await added(page).getByText('We did not get the file that you shared.').waitFor();
  await expectNoAxeViolations(page);
  assertNoConsoleErrors();
  await context.close();
});

it('a file that is opened with the installed application is read, too', async () => {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl });
  await signIn(site, context, mia);
  // As the system does, once.
  await page.addInitScript((content) => {
    if (window.location.search !== '') return;
    const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
    const getFile = async () => new File([bytes], 'shot.png', { type: 'image/png' });
    Object.defineProperty(window, 'launchQueue', {
      value: { setConsumer: (consume: (launch: object) => unknown) => consume({ files: [{ getFile }] }) },
    });
  }, picture.base64);
  await page.goto('/my-coupons');
  await isRead(page);
  await context.close();
});
