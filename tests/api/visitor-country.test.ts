import { beforeAll, expect, it } from 'vitest';
import { COUNTRY_COOKIE } from '#contract/base/visitor-country.ts';
import { setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

const test = setUpApp({ webRoot: WEB_SOURCES, config: { countryHeader: 'CF-IPCountry' } });
beforeAll(async () => {
  const owner = await createUser(test.ctx);
  for (const region of ['AT', 'CA', 'FR'])
    await createCoupon(test.ctx, owner, { title: `Zither from ${region}`, regions: [region] });
});

/** Where the coupon counts that a visitor with these headers finds first. */
async function firstFor(headers: Record<string, string>): Promise<string | undefined> {
  const url = '/api/coupons?search=zither&sort=newest';
  const answer = await test.app.inject({ method: 'GET', url, headers });
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.json()[0].regions[0];
}

it('a visitor finds first what counts in the country of their choice, of the proxy or of their language', async () => {
  const chosen = { cookie: `${COUNTRY_COOKIE}=AT` };
  const proxy = { 'cf-ipcountry': 'CA' };
  const language = { 'accept-language': 'en, de-Latn-AT;q=0.9, fr-FR;q=0.8' };
  expect(await firstFor({ ...language, ...proxy, ...chosen })).toBe('AT');
  expect(await firstFor({ ...language, ...proxy })).toBe('CA');
  expect(await firstFor(language)).toBe('AT');
  // The newest, where nothing is known.
  const unknown = { 'cf-ipcountry': 'XX', cookie: `${COUNTRY_COOKIE}=nowhere`, 'accept-language': 'en' };
  for (const headers of [{}, unknown]) expect(await firstFor(headers)).toBe('FR');
});

it('a page says what its answers depend on, so that a cache does not give them to another country', async () => {
  const answer = await test.app.inject({ method: 'GET', url: '/?q=zither' });
  expect(answer.headers.vary).toBe('Cookie, Accept-Language, CF-IPCountry');
});
