import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { stored } from '../browser/browser-database.ts';
import { closePages, openPage, sharedBrowser } from '../browser/harness.ts';
import { openSite, type Site, signIn } from '../browser/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it('a code that a device keeps is shown at a till without a network', async () => {
  const owner = await createUser(site.ctx);
  const { id } = await createCoupon(site.ctx, owner, { title: 'Soup for two', code: 'SOUP-4401-TILL' });
  const { page, context } = await openPage(await sharedBrowser(), { width: 390, baseUrl: site.baseUrl });
  await signIn(site, context, owner);
  await page.goto(`/coupons/${id}`);
  const show = page.getByRole('button', { name: 'Show code' }).first();
  const dialog = page.getByRole('dialog', { name: 'Your coupon code' });
  await show.click();
  await dialog.getByLabel('Keep my codes on this device').check();
  await vi.waitFor(
    async () => expect(await stored(page)).toContainEqual(expect.stringMatching(/^code-/)),
    WAIT_MS,
  );
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await dialog.waitFor({ state: 'hidden' });

  await context.setOffline(true);
  await show.click();
  await dialog.getByText('This code is kept on this device.').waitFor();
  await dialog.getByRole('tab', { name: 'Code', exact: true }).click();
  expect(await dialog.getByLabel('Coupon code').textContent()).toBe('SOUP-4401-TILL');
});
