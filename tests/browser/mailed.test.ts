import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { readWaitingMail } from '#server/coupons/drafts/reading.ts';
import { createUser } from '#tests/support/builders.ts';
import { drawCoupon, PRINTED_COUPONS, type PrintedCoupon } from '../fixtures/printed-coupons.ts';
import { expectGoodState, windowsFor } from './good-pages.ts';
import {
  closePages,
  expectNoLayoutJump,
  expectTouchTargets,
  holdBack,
  openPage,
  sharedBrowser,
} from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

let site: Site;
let browser: Browser;
let person: Actor;

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

const COUPON = PRINTED_COUPONS[0] as PrintedCoupon;
const LAST_DAY = `${new Date().getUTCFullYear() + 1}-12-31`;

it.each(windowsFor(2))(
  'a photographed coupon that is forwarded by email waits on Home and is listed',
  async (...windows) => {
    person = await createUser(site.ctx);
    const opened = await openPage(browser, { ...windows[0], baseUrl: site.baseUrl });
    const { page, context, assertNoConsoleErrors } = opened;
    await signIn(site, context, person);
    await page.goto('/add-coupons');
    await page.getByRole('button', { name: 'Create address' }).click();
    const address = await page.getByLabel('Private address').inputValue();
    await expectGoodState(opened, windows);

    await page.goto('/sandbox/inbound');
    await page.getByLabel('To').fill(address);
    const printed = { ...COUPON.printed, date: `Expires ${LAST_DAY}` };
    const buffer = await drawCoupon({ ...COUPON, printed }, 4);
    await page.getByLabel('Files').setInputFiles([{ name: 'IMG_1.png', mimeType: 'image/png', buffer }]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The mail was delivered.').waitFor();
    expect(await readWaitingMail(site.ctx)).toBe(1);

    await page.goto('/discover');
    const sendCount = await holdBack(page, /drafts\.count/);
    // Not a press: a jump soon after one counts as the person's own doing.
    await page.locator('a[href="/my-coupons"]').first().dispatchEvent('click');
    await page.getByRole('heading', { name: 'My Coupons', level: 1 }).waitFor();
    sendCount();
    await page.getByText('1 coupon from your email is waiting.').waitFor();
    await expectNoLayoutJump(page);
    await expectGoodState(opened, windows);
    await page.goto('/');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByText('1 coupon from your email is waiting.').waitFor();
    await waiting.getByRole('link', { name: 'Look them over' }).click();
    const row = page.getByRole('group', { name: 'Row 1', exact: true });
    expect(await row.getByLabel('Code').inputValue()).toBe(COUPON.code.text);
    await row.getByLabel('Category').selectOption('Food');
    await row.getByLabel('Merchant').fill('Bakery Lane');
    await expectGoodState(opened, windows);
    if (windows[0].width < 500) await expectTouchTargets(page);
    await page.getByRole('button', { name: 'List 1 coupon' }).click();
    await page.getByRole('heading', { name: '1 coupon listed' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    assertNoConsoleErrors();
    await context.close();
  },
);
