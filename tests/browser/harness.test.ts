import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodPages } from './good-pages.ts';
import {
  closePages,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  openPage,
  sharedBrowser,
} from './harness.ts';

const PAGES: Record<string, string> = {
  '/good': '<h1>Swap coupons</h1><p id="text">Text one can see</p>',
  '/unlabelled': '<h1>Swap</h1><input type="text">',
  '/wide': '<h1>Swap</h1><div class="wide" style="width: 2000px">wide</div>',
  '/broken':
    '<h1>Swap</h1><img src="/nothing.png" alt=""><script nonce="n">throw new Error("oh no")</script>',
  '/pale-in-the-dark':
    '<h1>Swap</h1><p style="color-scheme: light dark; color: light-dark(#000, #eee); background: #fff">Text</p>',
  '/late':
    '<h1>Swap</h1><div></div><p style="height: 300px; background: #fff">Text</p><script nonce="n">requestAnimationFrame(() => requestAnimationFrame(() => { document.querySelector("div").style.height = "400px"; }))</script>',
};

let server: Server;
let baseUrl: string;
let browser: Browser;

beforeAll(async () => {
  server = createServer((request, response) => {
    // Some browsers request it by themselves.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    const body = PAGES[request.url ?? ''];
    response.writeHead(body ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      // As strict as the product's: the harness has to work under it.
      'content-security-policy':
        "default-src 'none'; script-src 'nonce-n'; style-src-attr 'unsafe-inline'; img-src 'self'",
    });
    response.end(
      body &&
        `<!doctype html><html lang="en"><head><title>Test</title></head><body style="margin: 0"><main style="min-height: 100vh">${body}</main><footer>The end</footer></body></html>`,
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  server.closeAllConnections();
  server.close();
});

test('a sound page renders with visible text and passes every check', async () => {
  const { page, context, assertNoConsoleErrors } = await openPage(browser, { baseUrl, width: 360 });
  await page.goto('/good');
  const text = page.locator('#text');
  const shown = await text.screenshot();
  await page.evaluate(() => {
    const element = document.querySelector<HTMLElement>('#text');
    if (element) element.style.visibility = 'hidden';
  });
  expect((await text.boundingBox())?.height).toBeGreaterThan(10);
  const box = await text.boundingBox();
  // Without a font the two would look alike.
  expect(shown.equals(await page.screenshot({ clip: box ?? undefined }))).toBe(false);
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  assertNoConsoleErrors();
  await context.close();
});

test('names the axe violation of a page', async () => {
  const { page, context } = await openPage(browser, { baseUrl });
  await page.goto('/unlabelled');
  await expect(expectNoAxeViolations(page)).rejects.toThrow(/label: input/);
  await context.close();
});

test('names the element of a page that is too wide', async () => {
  const { page, context } = await openPage(browser, { baseUrl, width: 360 });
  await page.goto('/wide');
  await expect(expectNoSidewaysScroll(page)).rejects.toThrow(/class="wide"/);
  await context.close();
});

test('collects errors, except expected ones', async () => {
  const { page, context, problems, assertNoConsoleErrors } = await openPage(browser, { baseUrl });
  await page.goto('/broken');
  await expect.poll(() => problems.length).toBe(2);
  expect(() => assertNoConsoleErrors()).toThrow(/oh no/);
  expect(() => assertNoConsoleErrors([/uncaught/])).toThrow(/nothing.png/);
  assertNoConsoleErrors([/uncaught: oh no/, /404.*nothing.png/]);
  await context.close();
});

test('a check of pages finds what fails in the dark alone, a jump and an error, each on its page', async () => {
  const opened = await openPage(browser, { baseUrl });
  const findings = await expectGoodPages(opened, ['/good', '/pale-in-the-dark', '/late', '/broken']).then(
    () => '',
    // The message names only its beginning.
    (error: { actual: string }) => error.actual,
  );
  expect(findings).not.toContain('/good from');
  expect(findings).toMatch(/^\/pale-in-the-dark from .*\n.*color-contrast: p$/m);
  expect(findings).toMatch(/^\/late from .*\n.*the page jumped by 0\.\d+$/m);
  expect(findings).toMatch(/^\/broken from .*oh no/ms);
  await opened.context.close();
});
