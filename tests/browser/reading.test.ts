import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { photographOf } from '../fixtures/phone-photos.ts';
import { drawCoupon, PRINTED_COUPONS, type PrintedCoupon } from '../fixtures/printed-coupons.ts';
import {
  closePages,
  expectNoAxeViolations,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  openPage,
  sharedBrowser,
} from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** A photographed coupon from end to end: it is read and listed. */

let site: Site;
let browser: Browser;
let kim: Actor;

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  kim = await createUser(site.ctx, { username: 'kite_kim' });
  await createCoupon(site.ctx, await createUser(site.ctx), { merchant: 'Garden Depot', category: 'retail' });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** A coupon that is valid for two more years. */
async function photo(): Promise<Buffer> {
  const [printed, other] = PRINTED_COUPONS;
  if (!printed || !other) throw new Error('There is no coupon');
  const year = site.ctx.clock().getUTCFullYear() + 1;
  const coupon: PrintedCoupon = {
    ...printed,
    // Its code is no web address.
    code: other.code,
    printed: { ...printed.printed, merchant: 'Garden Depot', date: `Expires December 31, ${year}` },
  };
  return photographOf('held at an angle', (scale) => drawCoupon(coupon, scale));
}

it('is listed with at most 4 presses and no typing', async () => {
  const opened = await openPage(browser, { baseUrl: site.baseUrl, width: 390, height: 844 });
  const { page, context, assertNoConsoleErrors } = opened;
  await signIn(site, context, kim);
  await page.goto('/my-coupons');
  let presses = 0;
  const press = async (control: Locator) => {
    presses += 1;
    await control.click();
  };
  await press(page.getByRole('button', { name: 'Add a Coupon' }).first());
  const dialog = page.getByRole('dialog', { name: 'Add a New Coupon' });
  await dialog.getByRole('button', { name: 'Fill in the form yourself' }).waitFor();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  const chooser = page.waitForEvent('filechooser');
  await press(dialog.getByRole('button', { name: 'Choose picture' }));
  const file = { name: 'coupon.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  // The photo in the window of the system.
  presses += 1;
  await (await chooser).setFiles(file);
  await dialog.getByText('We filled in what we could read').waitFor();
  await dialog.getByRole('region', { name: 'Validation result' }).waitFor();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  await press(dialog.getByRole('button', { name: 'Add coupon' }));
  await page.getByRole('article', { name: '20% OFF your entire order' }).waitFor();
  expect(presses).toBeLessThanOrEqual(4);
  await expectNoLayoutJump(page);
  const stored = await site.ctx.db
    .selectFrom('coupons')
    .select(['merchant', 'value', 'discountType', 'category'])
    .where('ownerId', '=', kim.id)
    .executeTakeFirst();
  expect(stored).toEqual({
    ...{ merchant: 'Garden Depot', value: 2_000, discountType: 'percentage', category: 'retail' },
  });
  assertNoConsoleErrors();
  await context.close();
});
