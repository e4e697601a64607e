import path from 'node:path';
import * as cheerio from 'cheerio';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { LANGUAGE_CODES, prefixOf } from '#contract/base/i18n.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import type { Actor } from '#server/context/context.ts';
import { inLanguage } from '#server/core/language.ts';
import { openMarket } from '#server/core/market.ts';
import { type Market, readMarket } from '#server/core/market-folder.ts';
import { contentOf, htmlOf, textOf } from '#server/people/notifications/mail-templates.ts';
import { mailedReceipt } from '#server/people/notifications/receipts.ts';
import { createUser } from '#tests/support/builders.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { settle } from './good-pages.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { MEMBER_PAGES, PUBLIC_PAGES, TWINS } from './page-lists.ts';
import { openSite, type Site, signIn } from './site.ts';

/** A market with everything changed. What it serves has nothing of the usual one. */
const FOLDER = path.resolve(import.meta.dirname, '../fixtures/other-market');

/** The usual name, and the usual colours of pages, buttons and links. */
const TRACES =
  /clipswap|#c2431f|#a83717|#ef9b81|#fbf7f0|#fffdf9|#1b1714|rgb\(194, 67, 31|rgb\(251, 247, 240/i;

let market: Market;
let site: Site;
let member: Actor;
let receipt: string;

beforeAll(async () => {
  market = readMarket(FOLDER);
  site = await openSite({
    withDemo: true,
    config: {
      market,
      supportEmail: 'hilfe@tausch.example',
      feeRates: { buyer: { basisPoints: 250, minimum: 0 }, seller: { basisPoints: 700, minimum: 0 } },
    },
  });
  member = await createUser(site.ctx);
  const { paymentId } = await insertHeldSale(site.ctx, member, await createUser(site.ctx));
  receipt = `/sales/${paymentId}`;
});
afterAll(async () => {
  openMarket(readMarket(null));
  await closePages();
  await site?.close();
});

/** Where the usual market shows, with what is around it. Names of files and cookies, and the prefix of keys, do not count. */
function tracesIn(text: string): string[] {
  const shown = text.replace(
    /clipswap-country|"name":"clipswap"|clipswap_…|\$CLIPSWAP_KEY|in\.clipswap\.example|\/assets\/[\w.-]+/g,
    '',
  );
  return [...shown.matchAll(new RegExp(TRACES, 'gi'))].map(({ index, 0: word }) =>
    shown.slice(Math.max(0, index - 60), index + word.length + 30),
  );
}

const OTHER_ADDRESSES = [
  '/manifest.webmanifest',
  '/fr/manifest.webmanifest',
  '/favicon.svg',
  '/offline-shell',
  '/fr/offline-shell',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
  '/api/docs',
  '/api/openapi.json',
  '/api/no-such-call',
  '/api/coupons',
  '/api/coupons/999999',
  '/no-such-file.png',
  '/legal/terms.en.md',
];

it('serves pages, documents, errors and lists without a trace, in both languages', async () => {
  const pages = [...PUBLIC_PAGES, ...TWINS, ...MEMBER_PAGES, receipt];
  const addresses = [
    ...OTHER_ADDRESSES,
    ...LANGUAGE_CODES.flatMap((one) => pages.map((page) => prefixOf(one) + page)),
  ];
  for (const url of addresses) {
    const { body } = await site.call(member, {
      method: 'GET',
      url,
      headers: { accept: 'text/html', 'accept-language': 'en' },
    });
    expect(tracesIn(body), url).toEqual([]);
  }
});

it('has its name and its currency in files: exports, the calendar and the answers of the API', async () => {
  const month = site.ctx.clock().toISOString().slice(0, 7);
  const made = await site.call(member, { method: 'POST', url: '/api/calendar-address' });
  const files = [
    `/api/seller-statement.csv?month=${month}`,
    new URL(JSON.parse(made.body).url).pathname,
    `/api${receipt}/receipt`,
  ];
  for (const url of files) {
    const { statusCode, body } = await site.call(member, { method: 'GET', url });
    expect(statusCode, url).toBe(200);
    expect([...tracesIn(body), ...(body.match(/.{0,40}\bCAD\b.{0,20}/g) ?? [])], url).toEqual([]);
  }
  const { body: head } = await site.call(member, { method: 'GET', url: files[0] ?? '' });
  expect(head).toContain('sale (EUR)');
  const { body: documented } = await site.call(null, { method: 'GET', url: '/api/openapi.json' });
  expect(documented).toContain('Amounts are in EUR.');
});

it('names itself in the manifest, and has icons of its own', async () => {
  const { body } = await site.call(null, { method: 'GET', url: '/manifest.webmanifest' });
  const manifest = JSON.parse(body);
  expect(manifest).toMatchObject({ name: 'Tausch & Co', short_name: 'Tausch', theme_color: '#f2f7fb' });
  for (const { src, sizes } of [...manifest.icons, { src: '/icon-apple-180.png', sizes: '180x180' }]) {
    const { rawPayload } = await site.call(null, { method: 'GET', url: src });
    const { width, height } = await sharp(rawPayload).metadata();
    expect(`${width}x${height}`).toBe(sizes);
    const { dominant } = await sharp(rawPayload).flatten({ background: '#0b6e4f' }).stats();
    expect(dominant.r, src).not.toBe(194);
  }
  const logo = await site.call(null, { method: 'GET', url: '/favicon.svg' });
  expect(logo.body).toBe(market.logo);
  expect(logo.headers['content-security-policy']).toContain("default-src 'none'");
});

const RECEIPT: Receipt = {
  ...{ kind: 'receipt', number: 'R-000001', paymentId: 1, bidId: 1, exchangeId: null },
  ...{ paidAt: '2035-06-15T12:00:00.000Z', buyerUsername: 'bea', sellerUsername: 'olga' },
  ...{ couponTitle: 'Two coffees', merchant: 'Bakery Lane', amount: '20.00', fee: '1.00', total: '21.00' },
  ...{ feeRate: { basisPoints: 500, minimum: 0 }, provider: 'stripe', card: null, status: 'held' },
  ...{ isDisputed: false, movements: [] },
};

describe.each(LANGUAGE_CODES)('its mails in %s', (language) => {
  const mail = (kind: 'verify_email' | 'notification') =>
    inLanguage(language, () =>
      contentOf(
        {
          kind,
          type: 'other',
          subject: 'News',
          body: 'Something new',
          receipt: mailedReceipt(RECEIPT),
        } as unknown as Parameters<typeof contentOf>[0],
        { main: 'https://tausch.example/', unsubscribe: null, receipt: '/sales/1' },
        'hilfe@tausch.example',
      ),
    );

  it.each(['verify_email', 'notification'] as const)('have its name and its colours: %s', (kind) => {
    const [text, html] = inLanguage(language, () => [textOf(mail(kind)), htmlOf(mail(kind))] as const);
    expect([tracesIn(text), tracesIn(html)]).toEqual([[], []]);
    expect(text).toContain('-- \nTausch & Co\n');
    if (kind === 'verify_email') return;
    for (const words of ['Tausch & Co GmbH, Marktplatz 1, 10115 Berlin, Germany', 'DE123456789'])
      expect([text.includes(words), html.includes(escapeHtml(words))]).toEqual([true, true]);
    expect(text).toMatch(/: (€21\.00|21,00\s€) EUR/u);
    expect(text).not.toContain('CAD');
    expect(cheerio.load(html)('p.brand').text()).toBe('Tausch & Co');
    expect(html).toContain(`color:${market.palette.get('#a83717')}`);
  });
});

it('has its legal texts in the HTML, for those who run no scripts', async () => {
  for (const [url, heading] of [
    ['/terms', 'Rules of the house'],
    ['/fr/terms', 'Règles de la maison'],
  ] as const) {
    const { body } = await site.call(null, {
      method: 'GET',
      url,
      headers: { 'user-agent': 'Googlebot/2.1' },
    });
    expect(cheerio.load(body)('article h2').first().text()).toBe(heading);
  }
});

it('shows its colours, its name and its legal texts in the browser, and nothing of the usual market', async () => {
  const opened = await openPage(await sharedBrowser(), { baseUrl: site.baseUrl, time: site.ctx.clock() });
  const { page, context } = opened;
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes('/api/trpc/')) return;
    const body = await response.text().catch(() => '');
    answers.push(...tracesIn(body).map((trace) => `${response.url()}: ${trace}`));
  });
  for (const prefix of ['', '/fr']) {
    for (const address of [
      '/',
      '/coupons/1',
      '/how-it-works',
      '/privacy-policy',
      '/auth?tab=register',
      '/no-such-page',
    ]) {
      await page.goto(prefix + address);
      await settle(opened);
      expect(tracesIn(await page.content()), prefix + address).toEqual([]);
    }
  }
  // Its own line, its categories in its order, its company and its currency.
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Coupons for the whole street' }).waitFor();
  const tiles = page
    .getByRole('navigation', { name: /Categories|Catégories/, includeHidden: true })
    .getByRole('link', { includeHidden: true });
  expect(await tiles.allTextContents()).toEqual(['Crafts', 'Food', 'Retail', 'Odds and ends']);
  await page.goto('/fr');
  expect(await page.locator('meta[name=description]').getAttribute('content')).toBe(
    'Des coupons pour toute la rue',
  );
  expect(await tiles.allTextContents()).toContain('Artisanat');
  await page.goto('/acceptable-use-policy');
  await page.getByText('Tausch & Co GmbH, Marktplatz 1, 10115 Berlin, Germany').waitFor();
  await page.goto('/fr/terms');
  await page.getByRole('heading', { name: 'Règles de la maison' }).waitFor();
  await page.goto('/terms');
  await page.getByRole('heading', { name: 'Rules of the house' }).waitFor();
  expect(await page.title()).toBe('Terms and Conditions · Tausch & Co');
  // HTML is text there, and only links to pages are links.
  expect(await page.locator('article script').count()).toBe(0);
  const links = page.locator('article a');
  expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    '/how-it-works',
  ]);
  await links.click();
  await page.waitForURL('**/how-it-works');
  await signIn(site, context, member);
  for (const address of ['/my-coupons', '/deals', '/profile-settings', receipt]) {
    await page.goto(address);
    await settle(opened);
    expect(tracesIn(await page.content()), address).toEqual([]);
  }
  await page.goto(receipt);
  for (const words of [
    'Tausch & Co GmbH, Marktplatz 1, 10115 Berlin, Germany',
    'DE123456789',
    /All amounts are in euros\./,
  ])
    await page.getByText(words).waitFor();
  expect(await page.getByText('€21.00 EUR').isVisible()).toBe(true);
  expect(await page.locator('main').textContent()).not.toContain('CAD');
  const colorsIn = (scheme: 'light' | 'dark') =>
    page.evaluate((name) => {
      document.documentElement.setAttribute('data-mantine-color-scheme', name);
      const styles = getComputedStyle(document.documentElement);
      return [
        getComputedStyle(document.body).backgroundColor,
        styles.getPropertyValue('--mantine-primary-color-filled').trim(),
        styles.getPropertyValue('--surface').trim(),
      ];
    }, scheme);
  expect(await colorsIn('light')).toEqual(['rgb(242, 247, 251)', '#0b6e4f', market.palette.get('#fffdf9')]);
  expect(await colorsIn('dark')).toEqual(['rgb(14, 24, 34)', '#0b6e4f', market.palette.get('#25201b')]);
  expect(answers).toEqual([]);
  await context.close();
});
