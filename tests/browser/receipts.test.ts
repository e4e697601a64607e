import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { settle } from './good-pages.ts';
import {
  closePages,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  openPage,
  sharedBrowser,
} from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

let site: Site;
let browser: Browser;
let buyer: Actor;
let receipt: string;

beforeAll(async () => {
  [site, browser] = await Promise.all([openSite({ withDemo: false }), sharedBrowser()]);
  buyer = await createUser(site.ctx);
  const { paymentId } = await insertHeldSale(site.ctx, buyer, await createUser(site.ctx));
  receipt = `/sales/${paymentId}`;
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it('prints a receipt on one page, at 390 px and on A4: every row, and nothing of the frame around it', async () => {
  // Somebody who reads in the dark prints on white receipt, too.
  const opened = await openPage(browser, { baseUrl: site.baseUrl, width: 390, colorScheme: 'dark' });
  const { page, context } = opened;
  await signIn(site, context, buyer);
  await page.goto(receipt);
  await settle(opened);
  await page.emulateMedia({ media: 'print' });
  for (const width of [390, 794]) {
    await page.setViewportSize({ width, height: 1_000 });
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page, ['color-contrast']);
    for (const role of ['banner', 'contentinfo', 'navigation', 'button'] as const) {
      expect(await page.getByRole(role).filter({ visible: true }).count(), role).toBe(0);
    }
    const rows = page.locator('article dl > div');
    // Seven facts and three amounts.
    expect([await rows.count(), await rows.filter({ visible: true }).count()]).toEqual([10, 10]);
    expect(await page.getByText('$21.00 CAD').isVisible()).toBe(true);
  }
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  opened.assertNoConsoleErrors();
  await context.close();
});
