import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as cheerio from 'cheerio';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentTitle, PAGES, WEB_PAGES } from '#contract/base/pages.ts';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { OFFER_PICTURE_SIZES, pictureIdOf, pictureSources } from '#contract/people/picture-addresses.ts';
import type { Actor } from '#server/context/context.ts';
import { descriptionOf } from '#server/rest/page-descriptions.ts';
import { withSettings } from '#server/rest/page-head.ts';
import { setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { uploadPlainPicture } from '#tests/support/pictures.ts';

/** The shell of the sources. Vite only adds to it. */
const SHELL = readFileSync(path.join(WEB_SOURCES, 'index.html'), 'utf8');
const PUBLIC_URL = 'https://clipswap.example';
/** Text that would end an element, an attribute or a script without escaping. */
const HOSTILE = `</script><script>alert(1)</script> "d" 's' & <b>b</b> \u2028\u2029 $& $1 <!--`;

const test = setUpApp({ webRoot: WEB_SOURCES, config: { publicUrl: PUBLIC_URL } });
let owner: Actor;
beforeAll(async () => {
  owner = await createUser(test.ctx, { username: 'olive' });
});

const sourceOf = (file: string) => readFileSync(path.join(WEB_SOURCES, file), 'utf8');

it('the page of `npm run dev` has the settings of the served one', async () => {
  const development = cheerio.load(withSettings(SHELL, test.deps.config));
  const served = cheerio.load((await test.call(null, { method: 'GET', url: '/' })).body);
  for (const name of ['fee-rates', 'support-email']) {
    const setting = served(`meta[name="${name}"]`).attr('content');
    expect(setting).toBeTruthy();
    expect(development(`head > meta[name="${name}"]`).attr('content')).toBe(setting);
  }
});

describe('the table of pages', () => {
  // The compiler checks that each page has a file. Home comes with the shell.
  it('has every address of the web application, and no other [spec/3 2.1]', () => {
    const onDemand = sourceOf('app/routes.tsx').matchAll(/^ {2}(\w+): \(\) => import\('#web\/pages\//gm);
    const names = ['home', ...Array.from(onDemand, ([, name]) => name)];
    expect(names.toSorted()).toEqual(Object.keys(PAGES).toSorted());
    expect(new Set(WEB_PAGES.map((page) => page.path)).size).toBe(WEB_PAGES.length);
  });
});

/** The shell of a page for a visitor (null) or a member. */
async function open(url: string, who: Actor | null = null) {
  const answer = await test.call(who, { method: 'GET', url });
  const $ = cheerio.load(answer.body);
  const meta = (name: string) => $(`meta[name="${name}"], meta[property="${name}"]`).attr('content') ?? null;
  const data = $('script[type="application/ld+json"]');
  return {
    answer,
    $,
    meta,
    status: answer.statusCode,
    title: $('title').text(),
    canonical: $('link[rel="canonical"]').attr('href') ?? null,
    data: data.length > 0 ? JSON.parse(data.text()) : null,
  };
}

describe('the shell of a public page', () => {
  it.each(WEB_PAGES.filter(({ isPublic, path }) => isPublic && !path.includes(':')))(
    '$path has its title, description, canonical address and preview [spec/3 2.2]',
    async (page) => {
      const shell = await open(page.path);
      expect(shell.status).toBe(200);
      expect(shell.title).toBe(documentTitle(page.title()));
      for (const one of ['title', 'meta[name="description"]']) expect(shell.$(one)).toHaveLength(1);
      for (const name of ['description', 'og:description'])
        expect(shell.meta(name)).toBe(descriptionOf(page));
      expect(shell.meta('support-email')).toBe('help@clipswap.example');
      expect(JSON.parse(shell.meta('fee-rates') ?? '')).toEqual(DEFAULT_FEE_RATES);
      expect(shell.canonical).toBe(PUBLIC_URL + page.path);
      expect(shell.meta('robots')).toBeNull();
      expect(shell.meta('og:title')).toBe(page.title());
      expect(shell.meta('og:type')).toBe('website');
      expect(shell.meta('og:url')).toBe(PUBLIC_URL + page.path);
      expect(shell.meta('og:site_name')).toBe('ClipSwap');
      expect(shell.meta('og:image')).toBe(`${PUBLIC_URL}/api/cards/site-v3.png`);
      // The rest of the shell is there as before.
      expect(shell.$('#root')).toHaveLength(1);
    },
  );

  it('has one canonical address, in whatever form it is requested', async () => {
    for (const url of [
      '/leaderboard',
      '/leaderboard/',
      '/Leaderboard',
      '/leaderboard?category=bids&utm_source=x',
    ]) {
      const shell = await open(url);
      expect(shell.status, url).toBe(200);
      expect(shell.canonical, url).toBe(`${PUBLIC_URL}/leaderboard`);
    }
  });

  it('/ has schema.org data about the site', async () => {
    const { data } = await open('/');
    expect(data['@context']).toBe('https://schema.org');
    expect(data['@graph']).toMatchObject([
      { '@type': 'Organization', name: 'ClipSwap', url: `${PUBLIC_URL}/` },
      { '@type': 'WebSite', name: 'ClipSwap', url: `${PUBLIC_URL}/` },
    ]);
  });

  it('carries its data in an element with the nonce of the answer', async () => {
    const shells = [await open('/'), await open('/')];
    const nonces = shells.map(({ answer, $ }) => {
      const policy = String(answer.headers['content-security-policy']);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
      expect($('script[type="application/ld+json"]').attr('nonce')).toBe(nonce);
      expect($('meta[name="csp-nonce"]').attr('content')).toBe(nonce);
      expect(answer.body).not.toContain('__CSP_NONCE__');
      return nonce;
    });
    expect(nonces[0]).toBeTruthy();
    expect(nonces[0]).not.toBe(nonces[1]);
  });
});

describe('the shell of a private page', () => {
  it.each(WEB_PAGES.filter(({ isPublic }) => !isPublic))('$path has noindex', async (page) => {
    const shell = await open(page.path.replace(/:\w+/, '1'));
    expect(shell.status).toBe(200);
    expect(shell.title).toBe(documentTitle(page.title()));
    expect(shell.meta('robots')).toBe('noindex');
    expect(shell.canonical).toBeNull();
    expect(shell.data).toBeNull();
  });
});

describe('the shell of a coupon', () => {
  it('has its title and description', async () => {
    const { id } = await createCoupon(test.ctx, owner, {
      title: 'Twenty off bread',
      merchant: 'Bakery Lane',
      description: 'Every loaf,\n  every day.',
      value: 2_000,
      discountType: 'percentage',
    });
    const shell = await open(`/coupons/${id}?bid=1`);
    expect(shell.status).toBe(200);
    expect(shell.title).toBe('Twenty off bread · ClipSwap');
    expect(shell.meta('description')).toBe('20.00% off at Bakery Lane. Every loaf, every day.');
    expect(shell.meta('og:title')).toBe('Twenty off bread');
    expect(shell.canonical).toBe(`${PUBLIC_URL}/coupons/${id}`);
    expect(shell.meta('og:image')).toContain(`/api/cards/${id}-`);
    expect(shell.meta('robots')).toBeNull();
  });

  it('shows previews and search engines the picture of the offer in place of its drawn ticket', async () => {
    const imageUrl = await uploadPlainPicture(actingAs(test.ctx, owner));
    const { id } = await createCoupon(test.ctx, owner, { pictureId: pictureIdOf(imageUrl) });
    const shell = await open(`/coupons/${id}`);
    const found = ['twitter:card', 'og:image', 'og:image:width'].map((name) => shell.meta(name));
    expect(found).toEqual(['summary_large_image', PUBLIC_URL + imageUrl, '8']);
    expect(shell.data.itemOffered.image).toBe(PUBLIC_URL + imageUrl);
    // Browsers load its files before the scripts.
    expect(shell.$('link[rel="preload"][as="image"]').attr()).toMatchObject({
      imagesrcset: pictureSources(imageUrl)?.srcSets.avif,
      imagesizes: OFFER_PICTURE_SIZES,
      fetchpriority: 'high',
    });
  });

  it('has an Offer in schema.org data, with the price that its owner asks', async () => {
    const { id } = await createCoupon(test.ctx, owner, {
      title: 'Five dollars off bread',
      merchant: 'Bakery Lane',
      value: 500,
      askingPrice: '20.00',
      expiryDate: '2035-07-01',
    });
    const url = `${PUBLIC_URL}/coupons/${id}`;
    expect((await open(`/coupons/${id}`)).data).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Offer',
      '@id': `${url}#offer`,
      url,
      name: 'Five dollars off bread',
      description: 'A coupon that a test has made.',
      category: 'food',
      ...{ price: '20.00', priceCurrency: 'CAD', availability: 'https://schema.org/InStock' },
      validThrough: expect.stringMatching(/^2035-07-0[12]T/),
      seller: { '@type': 'Person', name: 'olive', url: `${PUBLIC_URL}/users/${owner.id}` },
      itemOffered: {
        '@type': 'Product',
        name: 'Five dollars off bread',
        category: 'Coupon',
        brand: { '@type': 'Brand', name: 'Bakery Lane' },
        additionalProperty: { '@type': 'PropertyValue', name: 'Discount', value: 5, unitText: 'CAD' },
      },
    });
  });

  it('never contains its code, not even for its owner', async () => {
    const { id } = await createCoupon(test.ctx, owner, { code: 'HUSH-HUSH-2035' });
    for (const who of [null, owner]) {
      const { answer, status } = await open(`/coupons/${id}`, who);
      expect(status).toBe(200);
      expect(answer.body).not.toContain('HUSH');
    }
  });

  it('escapes what people write', async () => {
    const { id } = await createCoupon(test.ctx, owner, {
      title: HOSTILE,
      merchant: HOSTILE,
      description: HOSTILE,
    });
    const { answer, $, title, data, meta } = await open(`/coupons/${id}`);
    expect(title).toBe(documentTitle(HOSTILE));
    expect(meta('og:title')).toBe(HOSTILE);
    expect(data.name).toBe(HOSTILE);
    expect(data.itemOffered.brand.name).toBe(HOSTILE);
    expect(answer.body).not.toContain('<script>alert');
    const plain = cheerio.load(SHELL)('script').length;
    // The schema.org data, and the answers of the page's first queries.
    expect($('script')).toHaveLength(plain + 2);
    expect($('b')).toHaveLength(0);
    // A script must not contain these unescaped.
    expect($('script[type="application/ld+json"]').text()).not.toMatch(/[<>&\u2028\u2029]/);
  });

  it.each([
    ['expired', { expiryDate: '2035-06-14' }],
    ['taken off the lists', { isActive: false }],
  ])('that is %s is shown with noindex', async (_what, columns) => {
    const { id, title } = await createCoupon(test.ctx, owner, columns);
    const shell = await open(`/coupons/${id}`);
    expect(shell.status).toBe(200);
    expect(shell.title).toBe(`${title} · ClipSwap`);
    expect(shell.meta('robots')).toBe('noindex');
    expect(shell.canonical).toBeNull();
    expect(shell.data).toBeNull();
  });

  it('that is deleted, unknown or not a number is answered with 404 and noindex', async () => {
    const { id } = await createCoupon(test.ctx, owner);
    await test.trpc(owner, 'mutation', 'coupons.remove', { id });
    for (const parameter of [id, 999_999, 2_147_483_648, 0, '1x', 'abc', '-1', '99999999999999999999']) {
      const shell = await open(`/coupons/${parameter}`);
      expect(shell.status, String(parameter)).toBe(404);
      expect(shell.title).toBe('Coupon not found · ClipSwap');
      expect(shell.meta('robots')).toBe('noindex');
      expect(shell.answer.headers['content-type']).toBe('text/html; charset=utf-8');
    }
  });

  it('that is an imported public code is found by its owner only', async () => {
    const { id } = await createCoupon(test.ctx, owner, { category: 'imported', title: 'Only mine' });
    expect(await open(`/coupons/${id}`)).toMatchObject({ status: 404, title: 'Coupon not found · ClipSwap' });
    const own = await open(`/coupons/${id}`, owner);
    expect(own.status).toBe(200);
    expect(own.meta('robots')).toBe('noindex');
  });
});

describe('the shell of a person', () => {
  it('has the public facts', async () => {
    const { id } = await createUser(test.ctx, { username: 'percy', bio: `I collect ${HOSTILE}` });
    const shell = await open(`/users/${id}`);
    expect(shell.status).toBe(200);
    expect(shell.title).toBe('percy · ClipSwap');
    expect(shell.canonical).toBe(`${PUBLIC_URL}/users/${id}`);
    expect(shell.meta('og:type')).toBe('profile');
    expect(shell.meta('description')).toMatch(
      /^percy on ClipSwap\. Swaps: 0\. Verified coupons: 0\. I collect/,
    );
    expect(shell.data).toMatchObject({
      '@type': 'ProfilePage',
      mainEntity: { '@type': 'Person', name: 'percy', description: `I collect ${HOSTILE}` },
    });
    expect(shell.answer.body).not.toContain('@example.org');
    expect(shell.answer.body).not.toContain('<script>alert');
  });

  it('that is banned or unknown is answered with 404', async () => {
    const { id } = await createUser(test.ctx, { status: 'banned' });
    for (const parameter of [id, 999_999, 'percy']) {
      expect(await open(`/users/${parameter}`)).toMatchObject({
        status: 404,
        title: 'Profile not found · ClipSwap',
        canonical: null,
      });
    }
  });
});

describe('an unknown address', () => {
  it('is answered with the shell, 404 and noindex', async () => {
    for (const url of ['/no-such-page', '/leaderboard/more', '/coupons', '/coupons/1/2']) {
      const shell = await open(url);
      expect(shell.status, url).toBe(404);
      expect(shell.title, url).toBe('404 Page Not Found · ClipSwap');
      expect(shell.meta('robots'), url).toBe('noindex');
      expect(shell.$('#root'), url).toHaveLength(1);
    }
  });
});

describe('the shell of a merchant', () => {
  it('has its name, and one address for all spellings', async () => {
    await createCoupon(test.ctx, owner, { merchant: 'Café ½ <Lune>' });
    for (const name of ['Café ½ <Lune>', 'CAFE ½ <LUNE>']) {
      const shell = await open(`/merchants/${encodeURIComponent(name)}`);
      expect(shell).toMatchObject({ status: 200, title: 'Café ½ <Lune> coupons · ClipSwap' });
      expect(shell.data).toMatchObject({ '@type': 'CollectionPage', about: { name: 'Café ½ <Lune>' } });
      const { pathname } = new URL(shell.canonical ?? '');
      expect(await open(pathname)).toMatchObject({ status: 200, canonical: shell.canonical });
    }
  });

  it.each(['Nobody', '%20', 'x'.repeat(200)])('is answered with 404 for %s', async (name) => {
    const title = 'Merchant not found · ClipSwap';
    expect(await open(`/merchants/${name}`)).toMatchObject({ status: 404, title });
  });
});
