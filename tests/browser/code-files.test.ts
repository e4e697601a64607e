import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser } from '#server/testing/builders.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

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

/** What can stand between a browser and a file. */
const FAULTS: {
  name: string;
  link: string;
  title: RegExp;
  file: RegExp;
  fault: (route: Route) => Promise<void>;
}[] = [
  {
    name: 'no network',
    link: 'How It Works',
    title: /How It Works/i,
    file: /assets\/how-it-works-.*\.js/,
    fault: (route) => route.abort('internetdisconnected'),
  },
  {
    name: 'a busy proxy, for what the page imports',
    link: 'Terms',
    title: /Terms/,
    file: /assets\/support-.*\.(?:js|css)/,
    fault: (route) => route.fulfill({ status: 503, body: 'Service Unavailable' }),
  },
  {
    name: 'the page of a hotel, for a style sheet',
    link: 'Discover',
    title: /Discover/,
    file: /assets\/discover-.*\.css/,
    fault: (route) => route.fulfill({ contentType: 'text/html', body: '<p>Your room number?</p>' }),
  },
];

/** Opens Home for a member, who may see every page, with a mark that is lost when the page is loaded again. */
async function openMarked(): Promise<Page> {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl, loadsWhenIdle: true });
  await signIn(site, context, await createUser(site.ctx));
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => Object.assign(window, { isMarked: true }));
  return page;
}

const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window);
const titled = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });

it('a page whose code cannot be loaded opens as soon as it can, without being loaded again', async () => {
  const page = await openMarked();
  for (const { name, link, title, file, fault } of FAULTS) {
    await page.route(file, fault);
    await page.getByRole('link', { name: link, exact: true }).first().click();
    await page.getByText('This page cannot be loaded at the moment').waitFor();
    expect(await titled(page, title).count(), name).toBe(0);
    await page.unroute(file);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await titled(page, title).waitFor();
    expect(await page.getByText('This page cannot be loaded').count(), name).toBe(0);
    expect(await isMarked(page), name).toBe(true);
  }
  await page.context().close();
});

it('a page that a release has replaced says so, and opens when it is loaded again', async () => {
  const page = await openMarked();
  const file = /assets\/how-it-works-.*\.js/;
  await page.route(file, (route) =>
    route.fulfill({ status: 404, body: '{}', contentType: 'application/json' }),
  );
  await page.getByRole('link', { name: 'How It Works', exact: true }).first().click();
  await page.getByText('ClipSwap has a new version').waitFor();
  await page.unroute(file);
  await page.getByRole('button', { name: 'Retry' }).click();
  await titled(page, /How It Works/i).waitFor();
  expect(await isMarked(page)).toBe(false);
  await page.context().close();
});
