import { gunzipSync } from 'node:zlib';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSearchEngines } from '#server/providers/search-engines/search-engines.ts';
import { createTestApp, setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { countFromOne } from '#tests/support/database.ts';

const PUBLIC_URL = 'https://clipswap.example';
const KEY = 'a1b2c3d4e5f6a7b8';

const searchEngines = openSearchEngines({
  indexNowKey: KEY,
  googleServiceAccountFile: null,
  bingApiKey: null,
});
const test = setUpApp({
  config: { publicUrl: PUBLIC_URL },
  // These tests need only the key file: no engine is called.
  providers: { searchEngines: { ...searchEngines, submit: async () => [] } },
});
const firstId = 23_901;
beforeAll(async () => {
  const owner = await createUser(test.ctx);
  // More than one page of the procedure's, around the border between two parts, and one part left out.
  const insert = (from: number, to: number) =>
    sql`insert into coupons (id, owner_id, title, description, value, merchant, category, has_no_expiry, created_at,
        updated_at)
      overriding system value
      select i, ${owner.id}, 'Coupon ' || i, 'At every branch.', 500, 'Bakery Lane', 'food', true,
        '2035-06-01T00:00:00Z', '2035-06-02T00:00:00Z'::timestamptz + i * interval '1 second'
      from generate_series(${from}::integer, ${to}::integer) as i`.execute(test.ctx.db);
  await insert(firstId, 25_003);
  await insert(75_001, 75_001);
});

const read = (url: string, headers: Record<string, string> = {}) =>
  test.call(null, { method: 'GET', url, headers });

interface Entry {
  readonly loc: string;
  readonly lastmod?: string;
}

/** The entries of a sitemap or an index, which must be well-formed. */
function entriesOf(xml: string, outer: 'urlset' | 'sitemapindex', inner: 'url' | 'sitemap'): Entry[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === inner });
  const root = parser.parse(xml)[outer];
  expect(root['@_xmlns']).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  return root[inner];
}

describe('/sitemap.xml', () => {
  it('is an index of the parts that have coupons, with the last change of each [spec/3 2.71]', async () => {
    const answer = await read('/sitemap.xml');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=600',
    });
    expect(entriesOf(answer.body, 'sitemapindex', 'sitemap')).toEqual([
      { loc: `${PUBLIC_URL}/sitemaps/pages.xml` },
      { loc: `${PUBLIC_URL}/sitemaps/merchants.xml` },
      { loc: `${PUBLIC_URL}/sitemaps/coupons-0.xml`, lastmod: '2035-06-02T06:56:40.000Z' },
      { loc: `${PUBLIC_URL}/sitemaps/coupons-1.xml`, lastmod: '2035-06-02T06:56:43.000Z' },
      { loc: `${PUBLIC_URL}/sitemaps/coupons-3.xml`, lastmod: '2035-06-02T20:50:01.000Z' },
    ]);
  });

  it('sets no cookie, since it is cached for everybody', async () => {
    const answer = await read('/sitemap.xml', { cookie: 'clipswap=made-up' });
    expect(answer.cookies).toEqual([]);
  });
});

describe('a part of the sitemap', () => {
  it('lists every coupon of its 25,000 ids in every language, however many pages they take', async () => {
    const entries = entriesOf((await read('/sitemaps/coupons-0.xml')).body, 'urlset', 'url');
    expect(entries).toHaveLength(2 * (25_000 - firstId + 1));
    const addresses = { en: `/coupons/${firstId}`, fr: `/fr/coupons/${firstId}` };
    for (const [index, path] of Object.values(addresses).entries())
      expect(entries[index]).toEqual({
        loc: PUBLIC_URL + path,
        lastmod: '2035-06-02T06:38:21.000Z',
        'xhtml:link': Object.entries({ ...addresses, 'x-default': addresses.en }).map(([lang, one]) => ({
          '@_rel': 'alternate',
          '@_hreflang': lang,
          '@_href': PUBLIC_URL + one,
        })),
      });
    expect(entries.at(-1)?.loc).toBe(`${PUBLIC_URL}/fr/coupons/25000`);
    expect(new Set(entries.map(({ loc }) => loc)).size).toBe(entries.length);
    const next = entriesOf((await read('/sitemaps/coupons-1.xml')).body, 'urlset', 'url');
    expect(next.map(({ loc }) => loc)).toEqual(
      [25_001, 25_002, 25_003].flatMap((id) => [
        `${PUBLIC_URL}/coupons/${id}`,
        `${PUBLIC_URL}/fr/coupons/${id}`,
      ]),
    );
  });

  it('lists the merchants that have coupons on offer', async () => {
    await test.ctx.db.insertInto('merchants').values({ name: 'was once here' }).execute();
    const entries = entriesOf((await read('/sitemaps/merchants.xml')).body, 'urlset', 'url');
    expect(entries.map(({ loc }) => loc)).toEqual([
      `${PUBLIC_URL}/merchants/bakery%20lane`,
      `${PUBLIC_URL}/fr/merchants/bakery%20lane`,
    ]);
  });

  it('is not found if it has no coupons or its name is unknown', async () => {
    for (const name of ['coupons-2', 'coupons-42949', 'coupons-99999', 'coupons-123456', 'coupons--1', 'x']) {
      expect((await read(`/sitemaps/${name}.xml`)).statusCode, name).toBeGreaterThanOrEqual(400);
      expect((await read(`/sitemaps/${name}.xml`)).statusCode, name).toBeLessThan(500);
    }
    expect((await read('/sitemaps/coupons-2.xml')).statusCode).toBe(404);
  });

  it('is compressed for clients that accept it', async () => {
    const answer = await read('/sitemaps/coupons-0.xml', { 'accept-encoding': 'gzip' });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(entriesOf(gunzipSync(answer.rawPayload).toString(), 'urlset', 'url')).toHaveLength(2_200);
  });

  it('breaks the connection off if it cannot be finished', async () => {
    const broken = await createTestApp({ config: { publicUrl: PUBLIC_URL } });
    await countFromOne(broken.database);
    const owner = await createUser(broken.ctx);
    await createCoupon(broken.ctx, owner);
    let calls = 0;
    const clock = broken.deps.clock;
    // The clock is read a second time for the second page.
    Object.assign(broken.deps, {
      clock: () => {
        calls += 1;
        if (calls > 1) throw new Error('no more');
        return clock();
      },
    });
    await expect(broken.call(null, { method: 'GET', url: '/sitemaps/coupons-0.xml' })).rejects.toThrow();
    await broken.close();
  });

  it('of pages lists the public ones only', async () => {
    const answer = await read('/sitemaps/pages.xml');
    expect(answer.headers['cache-control']).toBe('public, max-age=600');
    const pages = [
      '/',
      '/how-it-works',
      '/leaderboard',
      '/validate-coupon',
      '/terms',
      '/privacy-policy',
      '/acceptable-use-policy',
      '/risks',
      '/open-books',
      '/proofs',
      '/developers',
    ];
    expect(entriesOf(answer.body, 'urlset', 'url').map(({ loc }) => loc.replace(PUBLIC_URL, ''))).toEqual(
      pages.flatMap((path) => [path, `/fr${path}`]),
    );
  });
});

describe('/robots.txt', () => {
  it('disallows the API and the pages for members, and names the sitemap by its full address [spec/3 2.72]', async () => {
    const answer = await read('/robots.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = answer.body.split('\n');
    expect(lines[0]).toBe('User-agent: *');
    for (const path of ['/api/', '/my-coupons', '/checkout/', '/admin', '/messages', '/profile-settings']) {
      expect(lines).toContain(`Disallow: ${path}`);
      if (path !== '/api/') expect(lines).toContain(`Disallow: /fr${path}`);
    }
    for (const path of ['/', '/coupons/', '/leaderboard', '/how-it-works', '/users/']) {
      expect(lines).not.toContain(`Disallow: ${path}`);
    }
    expect(lines).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
  });

  it('allows the calls that a public page needs', async () => {
    const lines = (await read('/robots.txt')).body.split('\n');
    expect(lines).toContain('Allow: /api/trpc/coupons.byId');
    expect(lines).toContain('Allow: /api/trpc/coupons.list');
  });
});

describe('the key file of IndexNow', () => {
  it('is served if a key is configured, and is not found otherwise', async () => {
    const answer = await read(`/${KEY}.txt`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toBe(KEY);
    expect((await read('/b1b2c3d4e5f6a7b8.txt')).statusCode).toBe(404);
  });
});

describe('GET /api/submit-sitemap', () => {
  const submit = async (headers: Record<string, string>) => {
    const admin = await createUser(test.ctx, { role: 'admin' });
    return test.call(admin, { method: 'GET', url: '/api/submit-sitemap', headers });
  };

  it('answers success, engines, time and error to an admin on our own pages [spec/3 2.70]', async () => {
    const answer = await submit({ 'sec-fetch-site': 'same-origin' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      success: false,
      engines: [],
      time: test.ctx.clock().toISOString(),
      error: expect.stringContaining('No search engine is set up.'),
    });
    expect((await submit({ referer: `${PUBLIC_URL}/admin` })).statusCode).toBe(200);
  });

  it('refuses a request from elsewhere like a write [spec/3 2.70]', async () => {
    const answer = await submit({});
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toBe('This request did not come from ClipSwap itself');
  });
});
