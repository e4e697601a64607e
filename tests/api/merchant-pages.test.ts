import path from 'node:path';
import * as cheerio from 'cheerio';
import { expect, it } from 'vitest';
import { setUpApp } from '#server/testing/app.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';

const test = setUpApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web') });

/** The head of a page for a visitor. */
async function open(url: string) {
  const answer = await test.call(null, { method: 'GET', url });
  const $ = cheerio.load(answer.body);
  const canonical = $('link[rel="canonical"]').attr('href');
  const data = $('script[type="application/ld+json"]').text();
  return { status: answer.statusCode, title: $('title').text(), canonical, data };
}

it('the page of a merchant has its name, and one address for all spellings', async () => {
  await createCoupon(test.ctx, await createUser(test.ctx), { merchant: 'Café ½ <Lune>' });
  for (const name of ['Café ½ <Lune>', 'CAFE ½ <LUNE>']) {
    const page = await open(`/merchants/${encodeURIComponent(name)}`);
    expect(page).toMatchObject({ status: 200, title: 'Café ½ <Lune> coupons · ClipSwap' });
    expect(JSON.parse(page.data)).toMatchObject({
      '@type': 'CollectionPage',
      about: { name: 'Café ½ <Lune>' },
    });
    const { pathname } = new URL(page.canonical ?? '');
    expect(await open(pathname)).toMatchObject({ status: 200, canonical: page.canonical });
  }
});

it.each(['Nobody', '%20', 'x'.repeat(200)])('the page of %s is answered with 404', async (name) => {
  expect(await open(`/merchants/${name}`)).toMatchObject({
    status: 404,
    title: 'Merchant not found · ClipSwap',
  });
});
