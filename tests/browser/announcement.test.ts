import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { expectGoodState, settle, windowsFor } from './good-pages.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let admin: Actor;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  admin = await createUser(site.ctx, { role: 'admin' });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

async function announce(en: string) {
  const before = await site.trpc(admin, 'query', 'settings.list');
  const follows = before.json().result.data.announcement.change?.id ?? null;
  const value = { id: randomUUID(), kind: 'news', text: { en }, until: null };
  const input = { name: 'announcement', value, follows };
  const headers = { origin: site.baseUrl };
  const answer = await site.trpc(admin, 'mutation', 'settings.change', input, headers);
  expect(answer.statusCode).toBe(200);
}

it('an announcement is dismissed for good on a device, and the next one is shown', async () => {
  await announce('We are open on Sunday, too.');
  const opened = await openPage(await sharedBrowser(), { width: 390, baseUrl: site.baseUrl });
  const { page } = opened;
  const shown = () => page.locator('.news-strip:visible p').allTextContents();
  await page.goto('/');
  expect(await shown()).toEqual(['We are open on Sunday, too.']);
  await settle(opened);
  for (const windows of windowsFor(1)) await expectGoodState(opened, windows);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await shown()).toEqual([]);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await page.goto('/how-it-works');
  expect(await shown()).toEqual([]);
  await announce('We are closed on Monday.');
  await page.reload();
  expect(await shown()).toEqual(['We are closed on Monday.']);
});
